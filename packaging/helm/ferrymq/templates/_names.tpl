{{- define "ferrymq.labels" -}}
app.kubernetes.io/name: ferrymq
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "ferrymq.selector" -}}
app.kubernetes.io/name: ferrymq
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

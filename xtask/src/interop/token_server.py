"""A stand-in for a token server: it listens on this machine, and gives a client that says the name, the password and the client of its
arguments a token that it has signed itself. It stands for no product, and nobody checks its tokens.

python token_server.py CERTIFICATE KEY USER PASSWORD CLIENT
"""

import base64
import hashlib
import hmac
import http.server
import json
import ssl
import sys
import time
import urllib.parse

CERTIFICATE, KEY, USER, PASSWORD, CLIENT = sys.argv[1:]
SECRET = b"of the stand-in, known to nobody else"
PATH = "/realms/mq/protocol/openid-connect/token"


def part(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def token():
    """A token in the compact form: a header, what it says, and a signature."""
    now = int(time.time())
    claims = {"iss": "a stand-in", "sub": USER, "azp": CLIENT, "iat": now, "exp": now + 300}
    said = ".".join(part(json.dumps(each).encode()) for each in ({"alg": "HS256", "typ": "JWT"}, claims))
    return said + "." + part(hmac.new(SECRET, said.encode(), hashlib.sha256).digest())


class Answer(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        form = self.rfile.read(int(self.headers["Content-Length"])).decode()
        asked = dict(urllib.parse.parse_qsl(form))
        expected = {"username": USER, "password": PASSWORD, "client_id": CLIENT, "grant_type": "password"}
        if self.path != PATH or asked != expected:
            self.tell(401, {"error": "invalid_grant"})
        else:
            self.tell(200, {"access_token": token(), "token_type": "Bearer", "expires_in": 300})

    def tell(self, status, content):
        content = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Answer)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(CERTIFICATE, KEY)
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()

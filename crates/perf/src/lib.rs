//! Workload generator: what ferry bench runs.

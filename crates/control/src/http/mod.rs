//! HTTP: connections, their bounds, and the routes.
//!
//! Always: a request names this machine in `Host`, so that a page of another site reaches nothing by a name
//! that leads here. What a request may take is bounded: connections, bytes and time of its head.

mod metrics;
mod shared;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::counted::OTHER;
use crate::source::Source;
use shared::Shared;

/// Connections at one time.
const CONNECTIONS_MAX: usize = 256;

/// Most bytes of the head of a request.
const HEAD_BYTES_MAX: usize = 16 << 10;

/// Longest time for the head of a request, and for a connection that asks nothing.
const HEAD_WITHIN: Duration = Duration::from_secs(10);

/// Longest time of a connection: a monitoring system comes again by a new one.
const CONNECTION_WITHIN: Duration = Duration::from_secs(600);

/// The pause in accepting where the system has no more to give.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves every client, for ever.
pub(crate) async fn serve(listener: TcpListener, source: Arc<Source>) {
    let shared = Arc::new(Shared::new(source));
    let routes = Router::new()
        .route("/metrics", get(metrics::page))
        .route("/", get(front))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard))
        .with_state(shared);
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        // A place first: those who come when all are taken wait in the system's queue.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let service = TowerToHyperService::new(routes.clone());
        tokio::spawn(async move {
            let mut server = hyper::server::conn::http1::Builder::new();
            server.timer(TokioTimer::new()).header_read_timeout(HEAD_WITHIN).max_buf_size(HEAD_BYTES_MAX);
            let served = server.serve_connection(TokioIo::new(stream), service);
            // An error is one of the program that connected.
            let _ = tokio::time::timeout(CONNECTION_WITHIN, served).await;
            drop(place);
        });
    }
}

/// Says what there is.
async fn front() -> &'static str {
    "/metrics has the figures; /metrics?names=ibmmq has them under names of other exporters\n"
}

/// Turns away a request that does not name this machine, and counts the answers.
async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let route = match request.uri().path() {
        "/metrics" => "/metrics",
        "/" => "/",
        _ => OTHER,
    };
    let mut response = if names_this_machine(&request) {
        next.run(request).await
    } else {
        (StatusCode::MISDIRECTED_REQUEST, "Host does not name this machine: use localhost or 127.0.0.1\n")
            .into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'"));
    shared.counted.add(route, response.status().as_u16());
    response
}

/// Returns true if `Host` is a name or an address of this machine.
fn names_this_machine(request: &Request) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    host.to_str().is_ok_and(is_this_machine)
}

fn is_this_machine(host: &str) -> bool {
    let Ok(authority) = host.parse::<Authority>() else { return false };
    if host.contains('@') {
        return false;
    }
    let name = authority.host();
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::is_this_machine;

    #[test]
    fn a_host_is_this_machine_by_its_name_or_a_loopback_address_alone() {
        for host in ["localhost", "LocalHost:9443", "127.0.0.1:9443", "127.1.2.3", "[::1]:9443", "[::1]"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org",
            "user@localhost",
            "10.0.0.1:9443",
            "[::2]",
            "0.0.0.0",
            "local host",
        ] {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}

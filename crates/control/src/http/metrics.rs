//! `/metrics`: the figures as a page.
//!
//! Always: a page is answered also where the queue manager is not reached, and then says so: `ferry_up` is 0.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use figures::metrics::{Form, Kind, Names, Printer, print};

use super::shared::Shared;

const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Answers with the page in the form and under the names that are asked for.
pub(super) async fn page(
    State(shared): State<Arc<Shared>>,
    Query(query): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Response {
    let names = match names(&query) {
        Ok(names) => names,
        Err(wrong) => return (StatusCode::BAD_REQUEST, wrong).into_response(),
    };
    // Counters have other names there than the newer form demands.
    let form = if names == Names::Familiar { Form::Text } else { form(&headers) };
    let asked = Instant::now();
    let block = shared.source.block().await;
    let mut printer = Printer::new(form, names);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let now = i64::try_from(now.as_micros()).unwrap_or(i64::MAX);
    match (&block, names) {
        (Ok(block), names) => print(&mut printer, block, names, now),
        (Err(_), Names::Own) => {
            let labels = [("qmgr", shared.source.name())];
            printer.one("up", Kind::Gauge, "1 while the queue manager answers.", &labels, 0.0);
        }
        (Err(_), Names::Familiar) => {
            let labels = [("qmgr", shared.source.name()), ("platform", "UNIX")];
            printer.one("qmgr_status", Kind::Gauge, "2 while the queue manager runs.", &labels, 0.0);
        }
    }
    if names == Names::Own {
        let manager = ("qmgr", shared.source.name());
        let took = asked.elapsed().as_secs_f64();
        printer.one("scrape_seconds", Kind::Gauge, "Time that the figures took to come.", &[manager], took);
        shared.counted.print(&mut printer, manager);
    }
    let kind = if form == Form::Text { TEXT } else { OPEN_METRICS };
    ([(header::CONTENT_TYPE, kind)], printer.finish()).into_response()
}

fn names(query: &[(String, String)]) -> Result<Names, String> {
    match query {
        [] => Ok(Names::Own),
        [(key, value)] if key == "names" && value == "ferry" => Ok(Names::Own),
        [(key, value)] if key == "names" && value == "ibmmq" => Ok(Names::Familiar),
        _ => Err("what may be asked for is names=ferry or names=ibmmq\n".to_owned()),
    }
}

/// Returns the newer form for a client that names it.
fn form(headers: &HeaderMap) -> Form {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut kinds = accepted.flat_map(|value| value.split(','));
    let is_newer = kinds.any(|kind| kind.trim().starts_with("application/openmetrics-text"));
    if is_newer { Form::OpenMetrics } else { Form::Text }
}

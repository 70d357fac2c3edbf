//! Requests for health, and the fixed answers to them.
//!
//! Always: bytes from outside never panic, and an answer says no name and no release.

use crate::board::CHECKS;

/// Most bytes of a request: the head that a probe sends has a tenth of them.
pub(crate) const HEAD_BYTES_MAX: usize = 4 << 10;

/// The thing that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The process: one that is not alive is started again.
    Live,
    /// The way in for programs.
    Ready,
    /// All checks of health.
    Whole,
    /// One check, by its place among the checks.
    Check(usize),
}

/// A request that is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// One that is understood; true where the answer has no body.
    Asked(Asked, bool),
    /// One that is not, with the answer.
    Refused(&'static [u8]),
}

macro_rules! answer {
    ($status:literal, $length:literal, $body:literal) => {
        concat!(
            "HTTP/1.1 ",
            $status,
            "\r\nContent-Type: text/plain\r\nContent-Length: ",
            $length,
            "\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
            $body
        )
        .as_bytes()
    };
}

const WELL: &[u8] = answer!("200 OK", "3", "ok\n");
const WELL_HEAD: &[u8] = answer!("200 OK", "3", "");
const FAILED: &[u8] = answer!("503 Service Unavailable", "7", "failed\n");
const FAILED_HEAD: &[u8] = answer!("503 Service Unavailable", "7", "");
const NO_REQUEST: &[u8] = answer!("400 Bad Request", "19", "this is no request\n");
const NOT_FOUND: &[u8] = answer!("404 Not Found", "31", "try /livez, /readyz, /healthz.\n");
const NOT_ALLOWED: &[u8] = answer!("405 Method Not Allowed", "13", "GET and HEAD\n");
const TOO_LONG: &[u8] = answer!("431 Request Header Fields Too Large", "9", "too long\n");

/// The answer for well or not, without its body where none is wanted.
pub(super) const fn verdict(is_well: bool, without_body: bool) -> &'static [u8] {
    match (is_well, without_body) {
        (true, false) => WELL,
        (true, true) => WELL_HEAD,
        (false, false) => FAILED,
        (false, true) => FAILED_HEAD,
    }
}

/// Reads a request; none while it is not whole.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<Request> {
    let ends = |end: &[u8]| bytes.windows(end.len()).any(|found| found == end);
    if !ends(b"\r\n\r\n") && !ends(b"\n\n") {
        return (bytes.len() > HEAD_BYTES_MAX).then_some(Request::Refused(TOO_LONG));
    }
    if bytes.len() > HEAD_BYTES_MAX {
        return Some(Request::Refused(TOO_LONG));
    }
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut words = line.split(|byte| *byte == b' ');
    let (Some(method), Some(target), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Some(Request::Refused(NO_REQUEST));
    };
    if !version.starts_with(b"HTTP/1.") {
        return Some(Request::Refused(NO_REQUEST));
    }
    let without_body = match method {
        b"GET" => false,
        b"HEAD" => true,
        _ => return Some(Request::Refused(NOT_ALLOWED)),
    };
    let path = target.split(|byte| *byte == b'?').next().unwrap_or_default();
    Some(asked(path).map_or(Request::Refused(NOT_FOUND), |asked| Request::Asked(asked, without_body)))
}

fn asked(path: &[u8]) -> Option<Asked> {
    match path {
        b"/livez" => Some(Asked::Live),
        b"/readyz" => Some(Asked::Ready),
        b"/healthz" => Some(Asked::Whole),
        _ => {
            let name = path.strip_prefix(b"/healthz/")?;
            CHECKS.iter().position(|check| check.name.as_bytes() == name).map(Asked::Check)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(request: &[u8]) -> Option<&'static str> {
        match read(request)? {
            Request::Asked(..) => Some("asked"),
            Request::Refused(answer) => std::str::from_utf8(&answer[9..12]).ok(),
        }
    }

    #[test]
    fn a_request_is_read_once_its_head_is_whole() {
        let whole = b"GET /readyz HTTP/1.1\r\nHost: pod:9414\r\nUser-Agent: kube-probe/1.30\r\n\r\n";
        assert_eq!(read(whole), Some(Request::Asked(Asked::Ready, false)));
        for end in 0..whole.len() {
            assert_eq!(read(&whole[..end]), None, "{end} bytes");
        }
        for (request, expected) in [
            (&b"HEAD /livez HTTP/1.0\n\n"[..], Request::Asked(Asked::Live, true)),
            (b"GET /healthz?verbose HTTP/1.1\r\n\r\n", Request::Asked(Asked::Whole, false)),
            (b"GET /healthz/log_room HTTP/1.1\r\n\r\n", Request::Asked(Asked::Check(0), false)),
        ] {
            assert_eq!(read(request), Some(expected));
        }
    }

    #[test]
    fn what_is_no_request_for_health_is_refused_with_its_status() {
        let long = [b"GET /livez HTTP/1.1\r\nX: ".to_vec(), vec![b'x'; HEAD_BYTES_MAX]].concat();
        for (request, expected) in [
            (&b"GET / HTTP/1.1\r\n\r\n"[..], "404"),
            (b"GET /healthz/ HTTP/1.1\r\n\r\n", "404"),
            (b"GET /healthz/nothing HTTP/1.1\r\n\r\n", "404"),
            (b"GET /livez/../livez HTTP/1.1\r\n\r\n", "404"),
            (b"GET http://pod/livez HTTP/1.1\r\n\r\n", "404"),
            (b"POST /livez HTTP/1.1\r\n\r\n", "405"),
            (b"get /livez HTTP/1.1\r\n\r\n", "405"),
            (b"GET /livez\r\n\r\n", "400"),
            (b"GET  /livez HTTP/1.1\r\n\r\n", "400"),
            (b"GET /livez HTTP/2.0\r\n\r\n", "400"),
            (b"\r\n\r\n", "400"),
            (b"\x16\x03\x01\x00\xff\xfe\n\n", "400"),
            (&long, "431"),
        ] {
            assert_eq!(status(request), Some(expected), "{}", String::from_utf8_lossy(request));
        }
    }

    #[test]
    fn the_length_of_each_answer_is_that_of_its_body() {
        for answer in [WELL, FAILED, NO_REQUEST, NOT_FOUND, NOT_ALLOWED, TOO_LONG] {
            let text = std::str::from_utf8(answer).unwrap();
            let (head, body) = text.split_once("\r\n\r\n").unwrap();
            let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).unwrap();
            assert_eq!(length.parse(), Ok(body.len()), "{head}");
            assert!(!text.contains("QM") && !text.to_ascii_lowercase().contains("ferry"));
        }
    }
}

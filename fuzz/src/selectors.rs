//! Selectors, and messages that they are run against.

/// A selector, and messages it is run against.
pub fn selector(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let selector = match selector::Selector::parse(&text) {
        Ok(selector) => selector,
        Err(error) => {
            let _ = error.to_string();
            return;
        }
    };
    let descriptor = mqi::MessageDescriptor::default();
    let values = [
        mqi::properties::PropertyValue::Text(text.into_owned()),
        mqi::properties::PropertyValue::Int64(i64::MIN),
        mqi::properties::PropertyValue::Float64(f64::NAN),
        mqi::properties::PropertyValue::Boolean(true),
        mqi::properties::PropertyValue::Bytes(bytes.to_vec().into()),
    ];
    // A name's length says what it is worth, so that one selector meets every type.
    let properties = |name: &str| values.get(name.len() % (values.len() + 1));
    let _ = selector.matches(&selector::Message { descriptor: &descriptor, properties: &properties });
}

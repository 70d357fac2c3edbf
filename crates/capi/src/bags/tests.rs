use super::{Bag, Bags, Kind, Value};
use mqi::Reason;
use mqi::constants::*;
use objects::pcf::{Content, Header, Message, Parameter};

fn message(parameters: Vec<Parameter>) -> Message {
    Message { header: Header { completion: MQCC_FAILED, ..Header::command(MQCMD_PING_Q_MGR) }, parameters }
}

fn group(identifier: i32, parameters: Vec<Parameter>) -> Parameter {
    Parameter::new(identifier, Content::Group(parameters))
}

#[test]
fn what_was_made_for_a_message_goes_with_the_bag_it_is_in() {
    let mut bags = Bags::default();
    let replies = bags.add(Bag::new(MQCBO_ADMIN_BAG).unwrap()).unwrap();
    let deep = vec![group(8001, vec![group(8002, vec![Parameter::integer(1, 1)])])];
    for _ in 0..3 {
        bags.add_reply(replies, message(deep.clone())).unwrap();
    }
    assert_eq!(bags.by_handle.len(), 1 + 3 * 3);
    bags.take_out(replies, |bag| bag.delete(MQHA_BAG_HANDLE, 1)).unwrap();
    assert_eq!(bags.by_handle.len(), 1 + 2 * 3);
    bags.delete(replies).unwrap();
    assert!(bags.by_handle.is_empty());
}

#[test]
fn a_message_that_does_not_fit_leaves_nothing_behind() {
    let mut bags = Bags::default();
    let bag = bags.add(Bag::new(MQCBO_USER_BAG).unwrap()).unwrap();
    let twice = || vec![Parameter::integer(1, 1), Parameter::text(1, "two")];
    for parameters in [
        twice(),
        vec![group(8001, twice())],
        vec![group(8001, vec![group(8002, vec![])]), Parameter::integer(8001, 1)],
        vec![group(8001, vec![]), Parameter::integer(-1, 1)],
    ] {
        let refused = bags.fill(bag, message(parameters)).unwrap_err();
        assert!(matches!(refused, Reason::INCONSISTENT_ITEM_TYPE | Reason::SELECTOR_OUT_OF_RANGE));
        assert_eq!(bags.by_handle.len(), 1);
        assert_eq!(bags.get(bag).unwrap().count(MQSEL_ALL_USER_SELECTORS), Ok(0));
        assert_eq!(bags.get(bag).unwrap().find(MQIASY_COMP_CODE, 0).unwrap().value, Value::Integer(MQCC_OK));
    }
    assert!(bags.add_reply(bag, message(twice())).is_err());
    assert_eq!(bags.by_handle.len(), 1);
}

#[test]
fn parameters_of_a_command_come_together_by_their_selectors_where_order_is_free() {
    let mut bags = Bags::default();
    for (options, expected) in [
        (MQCBO_USER_BAG, vec![5, 6, 5, 6]),
        (MQCBO_USER_BAG | MQCBO_LIST_FORM_ALLOWED, vec![5, 6, 5, 6]),
        (MQCBO_USER_BAG | MQCBO_REORDER_AS_REQUIRED, vec![5, 5, 6, 6]),
        (MQCBO_ADMIN_BAG, vec![5, 6]),
    ] {
        let handle = bags.add(Bag::new(options).unwrap()).unwrap();
        for (selector, value) in [(5, 1), (6, 2), (5, 3), (6, 4)] {
            bags.alter(handle).unwrap().add(selector, Value::Integer(value)).unwrap();
        }
        let message = bags.message(handle).unwrap();
        let told: Vec<i32> = message.parameters.iter().map(|parameter| parameter.identifier).collect();
        assert_eq!(told, expected, "{options}");
    }
}

#[test]
fn attributes_to_ask_for_are_one_list_whose_name_the_command_says() {
    let mut bags = Bags::default();
    let handle = bags.add(Bag::new(MQCBO_ADMIN_BAG).unwrap()).unwrap();
    let bag = bags.alter(handle).unwrap();
    assert_eq!(bag.kind, Kind::Administration);
    bag.add_inquiry(MQCA_Q_NAME).unwrap();
    bag.add(MQIA_Q_TYPE, Value::Integer(MQQT_LOCAL)).unwrap();
    bag.add_inquiry(MQIA_MAX_Q_DEPTH).unwrap();
    assert_eq!(bags.message(handle), Err(Reason::INQUIRY_COMMAND_ERROR));
    let message = bags.message_of_command(handle, MQCMD_INQUIRE_Q).unwrap();
    let asked = Content::Integers(vec![MQCA_Q_NAME, MQIA_MAX_Q_DEPTH]);
    let expected = [Parameter::integer(MQIA_Q_TYPE, MQQT_LOCAL), Parameter::new(MQIACF_Q_ATTRS, asked)];
    assert_eq!(message.parameters, expected);
}

#[test]
fn items_are_counted_as_they_come_and_go() {
    let mut bag = Bag::new(MQCBO_USER_BAG).unwrap();
    let mut model: Vec<i32> = Vec::new();
    let mut state = 7_u32;
    for step in 0..2_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let selector = i32::try_from(state >> 16).unwrap() % 5;
        match state >> 8 & 7 {
            0..=3 => {
                bag.add(selector, Value::Integer(step)).unwrap();
                model.push(selector);
            }
            4 => {
                let known = model.iter().position(|known| *known == selector);
                assert_eq!(bag.delete(selector, 0).is_ok(), known.is_some());
                known.map(|place| model.remove(place));
            }
            5 => {
                bag.set(selector, MQIND_ALL, Value::Integer(step)).unwrap();
                model.retain(|known| *known != selector);
                model.push(selector);
            }
            6 => {
                let count = model.len() * 3 / 4;
                bag.truncate(i32::try_from(count).unwrap()).unwrap();
                model.truncate(count);
            }
            _ => {
                bag.delete(selector, MQIND_ALL).unwrap();
                model.retain(|known| *known != selector);
            }
        }
        let told: Vec<i32> = bag.items().iter().map(|item| item.selector).collect();
        assert_eq!(told, model, "after step {step}");
        for selector in 0..5 {
            let expected = model.iter().filter(|known| **known == selector).count();
            assert_eq!(bag.count(selector), Ok(expected));
            assert_eq!(bag.find(selector, 0).is_ok(), expected > 0);
        }
    }
}

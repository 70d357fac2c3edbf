//! Credentials of a program that connects (MQCSP): a user with a password, or a token.
//!
//! Always: a password and a token are judged by where they lie and how long they are before they are read,
//! and are overwritten when the connection is done with them.

use crate::layout::{MQCNO, MQCSP};
use crate::memory::Structure;
use crate::opening::Identity;
use crate::translate::text;
use client::{Credentials, Secret};
use mqi::Reason;
use mqi::constants::{
    MQ_CLIENT_USER_ID_LENGTH, MQ_CSP_PASSWORD_LENGTH, MQ_CSP_TOKEN_LENGTH, MQCSP_AUTH_ID_TOKEN,
    MQCSP_AUTH_NONE, MQCSP_AUTH_USER_ID_AND_PWD, MQCSP_VERSION_3,
};

/// The identity in the MQCSP that the options of a connect call name.
pub(super) fn identity(program: &Structure<MQCNO>) -> Result<Identity, Reason> {
    let pointer = program.other(program.SecurityParmsPtr, program.SecurityParmsOffset);
    if pointer.is_null() {
        return Ok(Identity::OfProcess);
    }
    let security = Structure::read(pointer, MQCSP::DEFAULT, Reason::CSP_ERROR)?;
    let has_user = has_user(&security)?;
    let has_token = has_token(&security)?;
    match security.AuthenticationType {
        MQCSP_AUTH_NONE if !has_token => Ok(Identity::OfProcess),
        MQCSP_AUTH_USER_ID_AND_PWD if !has_token => user(&security),
        MQCSP_AUTH_ID_TOKEN if has_token && !has_user => token(&security),
        _ => Err(Reason::CSP_ERROR),
    }
}

/// True if there is a user or a password, of allowed lengths.
fn has_user(security: &Structure<MQCSP>) -> Result<bool, Reason> {
    let MQCSP { CSPUserIdPtr, CSPUserIdOffset, CSPUserIdLength, .. } = **security;
    let MQCSP { CSPPasswordPtr, CSPPasswordOffset, CSPPasswordLength, .. } = **security;
    let error = Reason::CSP_ERROR;
    let user = security.named_length(CSPUserIdPtr.cast(), CSPUserIdOffset, CSPUserIdLength, error)?;
    let password =
        security.named_length(CSPPasswordPtr.cast(), CSPPasswordOffset, CSPPasswordLength, error)?;
    if user > MQ_CLIENT_USER_ID_LENGTH || password > MQ_CSP_PASSWORD_LENGTH {
        return Err(error);
    }
    Ok(user > 0 || password > 0)
}

/// True if there is a token, of an allowed length and given in one way; versions before the third have none.
fn has_token(security: &Structure<MQCSP>) -> Result<bool, Reason> {
    let MQCSP { TokenPtr, TokenOffset, TokenLength, .. } = **security;
    let error = Reason::CSP_ERROR;
    if security.Version < MQCSP_VERSION_3 {
        return Ok(false);
    }
    let length = security.named_length(TokenPtr.cast(), TokenOffset, TokenLength, error)?;
    let is_at_two_places = !TokenPtr.is_null() && TokenOffset != 0;
    if length > MQ_CSP_TOKEN_LENGTH || is_at_two_places {
        return Err(error);
    }
    Ok(length > 0)
}

fn user(security: &Structure<MQCSP>) -> Result<Identity, Reason> {
    let MQCSP { CSPUserIdPtr, CSPUserIdOffset, CSPUserIdLength, .. } = **security;
    let MQCSP { CSPPasswordPtr, CSPPasswordOffset, CSPPasswordLength, .. } = **security;
    let error = Reason::CSP_ERROR;
    let user = security.bytes(CSPUserIdPtr.cast(), CSPUserIdOffset, CSPUserIdLength, error)?;
    let user = text::decode(&user, text::NATIVE_CCSID, Reason::SECURITY_ERROR)?;
    let user = user.trim_end_matches([' ', '\0']);
    if user.is_empty() {
        return Ok(Identity::OfProcess);
    }
    let password = security.bytes(CSPPasswordPtr.cast(), CSPPasswordOffset, CSPPasswordLength, error)?;
    let credentials = Credentials::password(user, Secret::new(password.into()));
    credentials.map(Identity::Proved).map_err(|_| error)
}

fn token(security: &Structure<MQCSP>) -> Result<Identity, Reason> {
    let MQCSP { TokenPtr, TokenOffset, TokenLength, .. } = **security;
    let error = Reason::CSP_ERROR;
    let token = security.bytes(TokenPtr.cast(), TokenOffset, TokenLength, error)?;
    Credentials::token(Secret::new(token.into())).map(Identity::Proved).map_err(|_| error)
}

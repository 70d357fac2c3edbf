//! The attributes of authentication information.

use mqi::constants::*;

use super::row::{Attribute, Derived, Word, word};
use super::words::NO_YES;
use crate::object_type::ObjectType::{
    self, CrlLdapAuthentication as CrlLdap, LdapAuthentication as Ldap, OcspAuthentication as Ocsp,
    SystemAuthentication as System,
};

const ALL: &[ObjectType] = &[CrlLdap, Ocsp, System, Ldap];
const DIRECTORY: &[ObjectType] = &[CrlLdap, Ldap];
const LDAP: &[ObjectType] = &[Ldap];

const TYPES: &[Word] = &[
    word("CRLLDAP", MQAIT_CRL_LDAP),
    word("OCSP", MQAIT_OCSP),
    word("IDPWOS", MQAIT_IDPW_OS),
    word("IDPWLDAP", MQAIT_IDPW_LDAP),
];
const CHECKS: &[Word] = &[
    word("NONE", MQCHK_NONE),
    word("OPTIONAL", MQCHK_OPTIONAL),
    word("REQDADM", MQCHK_REQUIRED_ADMIN),
    word("REQUIRED", MQCHK_REQUIRED),
];
const AUTHORISATION: &[Word] = &[
    word("OS", MQLDAP_AUTHORMD_OS),
    word("SEARCHGRP", MQLDAP_AUTHORMD_SEARCHGRP),
    word("SEARCHUSR", MQLDAP_AUTHORMD_SEARCHUSR),
    word("SRCHGRPSN", MQLDAP_AUTHORMD_SRCHGRPSN),
];
const SECURE: &[Word] = &[word("NO", MQSECCOMM_NO), word("YES", MQSECCOMM_YES), word("ANON", MQSECCOMM_ANON)];

#[rustfmt::skip]
pub(super) static ROWS: &[Attribute] = &[
    Attribute::name("AUTHINFO", MQCA_AUTH_INFO_NAME, MQ_AUTH_INFO_NAME_LENGTH).on(ALL).derived(Derived::Name)
        .means("The name of the authentication information."),
    Attribute::choice("AUTHTYPE", MQIA_AUTH_INFO_TYPE, TYPES, MQAIT_CRL_LDAP).also(&["TYPE"]).on(ALL).derived(Derived::Type)
        .means("The type of authentication information."),
    Attribute::choice("ADOPTCTX", MQIA_ADOPT_CONTEXT, NO_YES, 1).on(&[System])
        .means("Adoption of the user whose password was checked as the one that the program acts as."),
    Attribute::choice("ADOPTCTX", MQIA_ADOPT_CONTEXT, NO_YES, 0).on(LDAP).kept_only()
        .means("Adoption of the user whose password was checked as the one that the program acts as."),
    Attribute::text("ALTDATE", MQCA_ALTERATION_DATE, 12).on(ALL).derived(Derived::AlterationDate)
        .means("The day the definition was last changed, UTC."),
    Attribute::text("ALTTIME", MQCA_ALTERATION_TIME, 8).on(ALL).derived(Derived::AlterationTime)
        .means("The time of day the definition was last changed, UTC."),
    Attribute::choice("AUTHENMD", MQIA_AUTHENTICATION_METHOD, &[word("OS", MQAUTHENTICATE_OS), word("PAM", MQAUTHENTICATE_PAM)], MQAUTHENTICATE_OS).on(&[System]).kept_only()
        .means("Method by which the operating system checks a password."),
    Attribute::choice("AUTHORMD", MQIA_LDAP_AUTHORMD, AUTHORISATION, MQLDAP_AUTHORMD_OS).on(LDAP).kept_only()
        .means("Place where the groups of a user are looked up."),
    Attribute::text("BASEDNG", MQCA_LDAP_BASE_DN_GROUPS, MQ_LDAP_BASE_DN_LENGTH).on(LDAP).kept_only()
        .means("Below which entry of the directory groups are."),
    Attribute::text("BASEDNU", MQCA_LDAP_BASE_DN_USERS, MQ_LDAP_BASE_DN_LENGTH).on(LDAP).kept_only()
        .means("Below which entry of the directory users are."),
    Attribute::choice("CHCKCLNT", MQIA_CHECK_CLIENT_BINDING, CHECKS, MQCHK_OPTIONAL).on(&[System])
        .means("Need of clients to give user and password."),
    Attribute::choice("CHCKCLNT", MQIA_CHECK_CLIENT_BINDING, CHECKS, MQCHK_REQUIRED).on(LDAP).kept_only()
        .means("Need of clients to give user and password."),
    Attribute::choice("CHCKLOCL", MQIA_CHECK_LOCAL_BINDING, CHECKS, MQCHK_OPTIONAL).on(&[System])
        .means("Need of programs of this host to give user and password."),
    Attribute::choice("CHCKLOCL", MQIA_CHECK_LOCAL_BINDING, CHECKS, MQCHK_OPTIONAL).on(LDAP).kept_only()
        .means("Need of programs of this host to give user and password."),
    Attribute::text("CLASSGRP", MQCA_LDAP_GROUP_OBJECT_CLASS, MQ_LDAP_CLASS_LENGTH).on(LDAP).kept_only()
        .means("The directory's object class of groups."),
    Attribute::text("CLASSUSR", MQCA_LDAP_USER_OBJECT_CLASS, MQ_LDAP_CLASS_LENGTH).on(LDAP).kept_only()
        .means("The directory's object class of users."),
    Attribute::text("CONNAME", MQCA_AUTH_INFO_CONN_NAME, MQ_AUTH_INFO_CONN_NAME_LENGTH).on(DIRECTORY).kept_only()
        .means("Address of the directory: host(port), or several separated by commas."),
    Attribute::text("DESCR", MQCA_AUTH_INFO_DESC, MQ_AUTH_INFO_DESC_LENGTH).on(ALL)
        .means("A description, for people."),
    Attribute::integer("FAILDLAY", MQIA_AUTHENTICATION_FAIL_DELAY, (0, 60), 1).on(&[System])
        .means("Seconds until a wrong password is answered, twice as long for each further one, to a minute at most."),
    Attribute::integer("FAILDLAY", MQIA_AUTHENTICATION_FAIL_DELAY, (0, 60), 1).on(LDAP).kept_only()
        .means("Seconds until a wrong password is answered, twice as long for each further one, to a minute at most."),
    Attribute::text("FINDGRP", MQCA_LDAP_FIND_GROUP_FIELD, MQ_LDAP_FIELD_LENGTH).on(LDAP).kept_only()
        .means("The directory's field that tells membership of a group."),
    Attribute::text("GRPFIELD", MQCA_LDAP_GROUP_ATTR_FIELD, MQ_LDAP_FIELD_LENGTH).on(LDAP).kept_only()
        .means("The directory's field that is the short name of a group."),
    Attribute::secret("LDAPPWD", MQCA_LDAP_PASSWORD, MQ_LDAP_PASSWORD_LENGTH).on(DIRECTORY).kept_only()
        .means("The password for the directory."),
    Attribute::text("LDAPUSER", MQCA_LDAP_USER_NAME, MQ_DISTINGUISHED_NAME_LENGTH).on(DIRECTORY).kept_only()
        .means("The user for the directory."),
    Attribute::choice("NESTGRP", MQIA_LDAP_NESTGRP, &[word("NO", MQLDAP_NESTGRP_NO), word("YES", MQLDAP_NESTGRP_YES)], MQLDAP_NESTGRP_NO).on(LDAP).kept_only()
        .means("Use of groups of groups."),
    Attribute::text("OCSPURL", MQCA_AUTH_INFO_OCSP_URL, MQ_AUTH_INFO_OCSP_URL_LENGTH).on(&[Ocsp]).kept_only()
        .means("Address of the service that knows of revoked certificates."),
    Attribute::choice("SECCOMM", MQIA_LDAP_SECURE_COMM, SECURE, MQSECCOMM_NO).on(LDAP).kept_only()
        .means("Use of TLS for the connection to the directory."),
    Attribute::text("SHORTUSR", MQCA_LDAP_SHORT_USER_FIELD, MQ_LDAP_FIELD_LENGTH).on(LDAP).kept_only()
        .means("The directory's field that is the short name of a user."),
    Attribute::text("USRFIELD", MQCA_LDAP_USER_ATTR_FIELD, MQ_LDAP_FIELD_LENGTH).on(LDAP).kept_only()
        .means("The directory's field that a user without qualification is looked for in."),
];

//! What an administrator can define, as attribute tables, with MQSC as their text.

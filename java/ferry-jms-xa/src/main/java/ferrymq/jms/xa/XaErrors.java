package ferrymq.jms.xa;

import java.util.regex.Pattern;
import javax.transaction.xa.XAException;

/** Errors of XA with words, and their numbers in the words of the queue manager. */
final class XaErrors {
    /** The queue manager ends the words of a refusal with its number. */
    private static final Pattern NUMBER = Pattern.compile("\\(XA (-?\\d{1,3})\\)");

    private XaErrors() {}

    static XAException of(int code, String words, Throwable cause) {
        var error = new XAException(words + " (XA " + code + ")");
        error.errorCode = code;
        if (cause != null) {
            error.initCause(cause);
        }
        return error;
    }

    /** The number that the queue manager gave a refusal; {@code otherwise} where it gave none. */
    static int numberIn(Throwable refusal, int otherwise) {
        for (Throwable at = refusal; at != null; at = at.getCause()) {
            var found = NUMBER.matcher(String.valueOf(at.getMessage()));
            if (found.find()) {
                return Integer.parseInt(found.group(1));
            }
        }
        return otherwise;
    }

    /** True for the number of a branch that was rolled back. */
    static boolean isRollback(int code) {
        return code >= XAException.XA_RBBASE && code <= XAException.XA_RBEND;
    }
}

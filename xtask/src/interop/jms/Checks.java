import java.util.Objects;

/** Tests by hand: each tells of itself in a line, by the subject that the table names. */
class Checks {
    interface Check {
        void run() throws Exception;
    }

    private final String subject;

    Checks(String subject) {
        this.subject = subject;
    }

    void test(String name, Check check) {
        try {
            check.run();
            System.out.println("ok\t" + subject + "\t" + name);
        } catch (Exception | AssertionError error) {
            System.out.println("FAILED\t" + subject + "\t" + name + "\t" + error.toString().replaceAll("\\s+", " "));
        }
    }

    static void same(Object expected, Object actual) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError("expected " + expected + ", had " + actual);
        }
    }
}

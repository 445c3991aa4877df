"""Lines of a test in TAP, for the tests that are scripts; imported from the folders beside this file."""


class Tap:
    def __init__(self):
        self.count, self.wrong = 0, 0

    def line(self, good, name, why=""):
        self.count += 1
        self.wrong += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}", flush=True)
        if not good:
            print("".join(f"# {line}\n" for line in str(why).splitlines()), end="")

    def complaints(self, found, name):
        """Good if there are none."""
        self.line(not found, name, "\n".join(map(str, found)))

    def skip(self, name, why):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {why}")

    def end(self):
        """The plan; returns the exit status."""
        print(f"1..{self.count}")
        return 1 if self.wrong else 0

# What Perl's TAP::Parser (the reader behind prove) makes of the TAP on standard input.
use strict;
use warnings;
use TAP::Parser;

local $/;
my $parser = TAP::Parser->new({tap => scalar <STDIN>});
my $bail = 0;
while (my $result = $parser->next) {
    if ($result->is_test) { # "id: title" or "mutant name: note"
        my ($name) = $result->description =~ /^-? ?(?:mutant )?(.*?): /;
        printf "%s %s\n", $result->has_skip ? "skipped" : $result->is_ok ? "passed" : "failed", $name // "?";
    }
    $bail = 1 if $result->is_bailout;
    print "unknown line: ", $result->raw, "\n" if $result->is_unknown && $result->raw =~ /\S/;
    last if $bail;
}
printf "version %d\n", $parser->version;
printf "planned %d\n", $parser->tests_planned // -1;
printf "run %d\n", $parser->tests_run;
printf "bail %d\n", $bail;
print "parse error: $_\n" for $bail ? () : $parser->parse_errors;

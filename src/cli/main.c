#include "cli.h"

int
main(int argc, char **argv)
{
    return ckda_cli_main(argc, argv);
}

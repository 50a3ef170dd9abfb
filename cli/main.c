/* sinew VERB FILE … [options] */
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "report.h"
#include "verbs.h"

typedef struct verb {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} verb;

static const verb verbs[] = {
    {"info", cli_info, "what is inside a file"},
    {"check", cli_check, "what is wrong or unusual in files"},
    {"pose", cli_pose, "evaluates one instant of a clip"},
    {"bake", cli_bake, "makes what modifiers do into keys"},
    {"edit", cli_edit, "runs editing commands and writes the file"},
    {"serve", cli_serve, "opens the editor in the browser"},
};
enum { VERB_COUNT = sizeof verbs / sizeof *verbs };

static int print_help(void) {
    printf("usage: sinew VERB FILE … [options]\n\n"
           "Skeletal animation in .gltf, .glb, .vrm and .vrma files.\n\n");
    for (int i = 0; i < VERB_COUNT; i++)
        printf("  %-8s %s\n", verbs[i].name, verbs[i].summary);
    printf("\n`sinew VERB --help` describes a verb and shows an example; "
           "`sinew --version` prints %s.\n"
           "Exit code: 0 done; 1 done, but a file has findings of severity error; 2 not done.\n",
           SN_VERSION);
    return cli_print("", 0);
}

static int print_version(void) {
    printf("sinew %s\n", SN_VERSION);
    return cli_print("", 0);
}

static int fail_unknown(const char *word) {
    const char *names[VERB_COUNT];
    for (int i = 0; i < VERB_COUNT; i++)
        names[i] = verbs[i].name;
    const char *close = cli_closest(word + strspn(word, "-"), names, VERB_COUNT);
    const char *kind = word[0] == '-' ? "option" : "verb";
    if (close)
        return cli_fail("arguments", "there is no %s %s; did you mean `sinew %s`?", kind, word,
                        close);
    return cli_fail("arguments", "there is no %s %s; `sinew --help` lists the verbs", kind, word);
}

int main(int argc, char **argv) {
    if (argc < 2)
        return cli_fail("arguments", "a verb is missing; `sinew --help` lists the verbs");
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0)
        return print_version();
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return print_help();
    for (int i = 0; i < VERB_COUNT; i++)
        if (strcmp(word, verbs[i].name) == 0)
            return verbs[i].run(argc - 2, argv + 2);
    return fail_unknown(word);
}

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "report.h"

#define MAX_OPTIONS 32

/* Optimal string alignment: insertions, deletions, replacements and swaps of neighbours. */
static size_t distance(const char *a, const char *b) {
    enum { LONGEST = 31 };
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return SIZE_MAX;
    size_t cost[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= n; i++)
        cost[i][0] = i;
    for (size_t j = 0; j <= m; j++)
        cost[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        for (size_t j = 1; j <= m; j++) {
            size_t least = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (cost[i - 1][j] + 1 < least)
                least = cost[i - 1][j] + 1;
            if (cost[i][j - 1] + 1 < least)
                least = cost[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                cost[i - 2][j - 2] + 1 < least)
                least = cost[i - 2][j - 2] + 1;
            cost[i][j] = least;
        }
    }
    return cost[n][m];
}

const char *cli_closest(const char *word, const char *const *names, size_t count) {
    const char *best = NULL;
    size_t least = strlen(word) / 3 + 1; /* one slip in three letters, and one in a short word */
    for (size_t i = 0; i < count; i++) {
        size_t d = distance(word, names[i]);
        if (d <= least && (!best || d < least)) {
            least = d;
            best = names[i];
        }
    }
    return best;
}

/* ---- Help ---- */

static void print_option(const cli_option *option) {
    char left[64];
    int length = 0;
    if (option->letter)
        length = snprintf(left, sizeof left, "-%c, ", option->letter);
    else
        length = snprintf(left, sizeof left, "    ");
    snprintf(left + length, sizeof left - (size_t)length, "--%s%s%s", option->name,
             option->value ? " " : "", option->value ? option->value : "");
    printf("  %-26s %s\n", left, option->help);
}

static int print_help(const cli_syntax *syntax) {
    printf("usage: sinew %s %s%s[options]\n\n%s\n\n", syntax->verb, syntax->operands,
           syntax->operands[0] ? " " : "", syntax->summary);
    for (size_t i = 0; i < syntax->option_count; i++)
        print_option(&syntax->options[i]);
    print_option(&(cli_option){.name = "help", .letter = 'h', .help = "show this"});
    if (syntax->details)
        printf("\n%s\n", syntax->details);
    printf("\nexample (after `make samples`):\n  %s\n", syntax->example);
    return cli_print("", 0);
}

/* ---- Parsing ---- */

typedef struct parser {
    const cli_syntax *syntax;
    bool given[MAX_OPTIONS];
} parser;

static int unknown_option(const parser *p, const char *word, size_t length) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
             word);
    const char *names[MAX_OPTIONS + 1];
    size_t count = 0;
    for (size_t i = 0; i < p->syntax->option_count; i++)
        names[count++] = p->syntax->options[i].name;
    names[count++] = "help";
    const char *plain = name + strspn(name, "-");
    const char *close = cli_closest(plain, names, count);
    if (close)
        return cli_fail(p->syntax->verb, "unknown option %s; did you mean --%s?", name, close);
    return cli_fail(p->syntax->verb, "unknown option %s; `sinew %s --help` lists the options", name,
                    p->syntax->verb);
}

static int set_number(const parser *p, const cli_option *option, const char *value) {
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end || !isfinite(number))
        return cli_fail(p->syntax->verb, "--%s wants a number, not \"%s\"", option->name, value);
    *option->number = number;
    return CLI_RUN;
}

static int set_count(const parser *p, const cli_option *option, const char *value) {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end || errno || number > UINT32_MAX)
        return cli_fail(p->syntax->verb, "--%s wants a whole number from 0 on, not \"%s\"",
                        option->name, value);
    *option->count = (uint32_t)number;
    return CLI_RUN;
}

static int set_option(parser *p, size_t index, const char *value) {
    const cli_option *option = &p->syntax->options[index];
    if (p->given[index] && !option->take)
        return cli_fail(p->syntax->verb, "--%s is given twice; once is right", option->name);
    p->given[index] = true;
    if (option->take)
        return option->take(option->user, value)
                   ? CLI_RUN
                   : cli_fail(p->syntax->verb, "there is no memory for more --%s", option->name);
    if (option->flag)
        *option->flag = true;
    else if (option->text)
        *option->text = value;
    else if (option->number)
        return set_number(p, option, value);
    else
        return set_count(p, option, value);
    return CLI_RUN;
}

/* The option that `word`, which begins with a dash, names; its own value after "=" or, for a short
 * form, after the letter. The count of options when there is none. */
static size_t find_option(const parser *p, const char *word, const char **value) {
    const cli_syntax *s = p->syntax;
    *value = NULL;
    for (size_t i = 0; i < s->option_count; i++) {
        const cli_option *option = &s->options[i];
        if (word[1] == '-') {
            size_t length = strlen(option->name);
            if (strncmp(word + 2, option->name, length) != 0)
                continue;
            if (word[2 + length] == '\0')
                return i;
            if (word[2 + length] == '=') {
                *value = word + 3 + length;
                return i;
            }
        } else if (option->letter && word[1] == option->letter) {
            if (word[2] && !option->value)
                continue;
            *value = word[2] ? word + 2 : NULL;
            return i;
        }
    }
    return s->option_count;
}

int cli_parse(const cli_syntax *syntax, int argc, char **argv, int *operands) {
    parser p = {.syntax = syntax};
    int count = 0;
    bool only_operands = false;
    for (int i = 0; i < argc; i++) {
        char *word = argv[i];
        if (only_operands || word[0] != '-' || !word[1]) {
            argv[count++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_operands = true;
            continue;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
            return print_help(syntax);
        const char *value;
        size_t index = find_option(&p, word, &value);
        if (index == syntax->option_count)
            return unknown_option(&p, word, strcspn(word, "="));
        const cli_option *option = &syntax->options[index];
        if (!option->value && value)
            return cli_fail(syntax->verb, "--%s takes no value", option->name);
        if (option->value && !value) {
            if (++i == argc)
                return cli_fail(syntax->verb, "--%s wants a value: --%s %s", option->name,
                                option->name, option->value);
            value = argv[i];
        }
        int code = set_option(&p, index, value);
        if (code != CLI_RUN)
            return code;
    }
    if (count < syntax->operand_min)
        return cli_fail(syntax->verb, "%s is missing; `sinew %s --help` shows an example",
                        syntax->operands, syntax->verb);
    if (count > syntax->operand_max)
        return cli_fail(syntax->verb, "\"%s\" is one argument too many; the verb takes %s",
                        argv[syntax->operand_max], syntax->operands);
    *operands = count;
    return CLI_RUN;
}

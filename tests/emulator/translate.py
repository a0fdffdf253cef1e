#!/usr/bin/env python3
"""One CUDA source as C++ for the emulator. usage: translate.py SOURCE TARGET

    kernel<<<grid, threads, ...>>>(args)     emulator_launch(kernel, grid, threads, ...)(args)
    __global__ ... kernel(...) {             ... { emulator_enter("kernel", the same in full,
                                                 most threads of its launch bounds);
    __grid_constant__ const struct x a       by reference: one copy for all threads
    __shared__ double a[8];                  static double a[8]; emulator_shared(&a, sizeof a);
    extern __shared__ double a[];            a constant pointer to the emulator's dynamic shared memory

Lines stay where they are. What looks like one of these and is written in a way not known here is an error,
not C++ that means something else. Comments are dropped."""
import os
import re
import sys

COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
SHARED = re.compile(
    r"\b__shared__\s+((?:__align__\([^()]*\)\s+)?)((?:struct\s+)?\w+)\s+(\w+)((?:\s*\[[^\]]*\])*)\s*;"
)
SHARED_EXTERN = re.compile(
    r"\bextern\s+__shared__\s+(?:__align__\([^()]*\)\s+)?((?:struct\s+)?\w+)\s+(\w+)\s*\[\]\s*;"
)
GRID_CONSTANT = re.compile(
    r"\b(?:const\s+)?__grid_constant__\s+(?:const\s+)?((?:struct\s+)?\w+(?:<\w+>)?)\s+(\w+)"
)
TEMPLATE = re.compile(r"\btemplate\s*<[^;{}]*>\s*(?:static\s+)?$")
OPEN, CLOSE = "([{", ")]}"


class Unknown(Exception):
    """A construct that is not known here."""


def without_comments(text):
    def blank(match):
        word = match.group(0)
        return word if word[0] in "\"'" else re.sub(r"[^\n]", " ", word)
    return COMMENT_OR_STRING.sub(blank, text)


def close_of(text, start):
    """Place of the bracket that closes the one at start."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] in OPEN) - (text[i] in CLOSE)
        if depth == 0:
            return i
    raise Unknown("a bracket that is not closed")


def kernel_before(text, end):
    """Where the name of the kernel begins, with its template arguments, that ends before `end`."""
    i = end
    while text[i - 1].isspace():
        i -= 1
    if text[i - 1] == ">":
        depth = 0
        while True:
            i -= 1
            depth += (text[i] == ">") - (text[i] == "<")
            if depth == 0:
                break
    name = re.search(r"\w+\s*$", text[:i])
    if not name:
        raise Unknown("<<< without the name of a kernel")
    return name.start()


def launches(text, templates):
    while (at := text.find("<<<")) >= 0:
        end = text.find(">>>", at)
        if end < 0:
            raise Unknown("<<< without >>>")
        start = kernel_before(text, at)
        kernel, shape = text[start:at], text[at + 3:end]
        if kernel.strip() in templates:  # its arguments make it a function
            launch = f"emulator_launch_deduced([](auto... given) {{ {kernel}(given...); }}, {shape})"
        else:
            launch = f"emulator_launch({kernel}, {shape})"
        text = text[:start] + launch + text[end + 3:]
    return text


def split(arguments):
    """At the commas of the outermost level."""
    parts, depth, last = [], 0, 0
    for i, c in enumerate(arguments):
        depth += (c in OPEN) - (c in CLOSE)
        if c == "," and depth == 0:
            parts.append(arguments[last:i])
            last = i + 1
    return parts + [arguments[last:]]


def kernels(text):
    """Each definition begins with emulator_enter; launch bounds become its argument. Also the names of
    templates."""
    done, place, templates = "", 0, set()
    for match in re.finditer(r"\b__global__\b", text):
        i, most = match.end(), "0"
        bounds = re.match(r"[\w\s]*?\b__launch_bounds__\s*(?=\()", text[i:])
        head = text[match.start():i]
        if bounds:
            first = i + bounds.end()
            last = close_of(text, first)
            most = split(text[first + 1:last])[0].strip()
            head += text[i:first].replace("__launch_bounds__", "") + "\n" * text.count("\n", first, last)
            i = last + 1
        named = re.match(r"[\w\s]*?(\w+)\s*(?=\()", text[i:])
        if not named:
            raise Unknown("__global__ without a function")
        if TEMPLATE.search(text[:match.start()]):
            templates.add(named.group(1))
        stop = close_of(text, i + named.end()) + 1
        done += text[place:match.start()] + head + text[i:stop]
        place = stop
        body = re.match(r"\s*\{", text[stop:])
        if body:
            done += (
                body.group(0)
                + f' emulator_enter("{named.group(1)}", __PRETTY_FUNCTION__, (unsigned)({most}));'
            )
            place = stop + body.end()
        elif not re.match(r"\s*;", text[stop:]):
            raise Unknown(f"what follows the head of {named.group(1)}")
    return done + text[place:], templates


def translate(text):
    text = without_comments(text)
    text = SHARED_EXTERN.sub(r"static \1 *const \2 [[maybe_unused]] = (\1 *)emulator_dynamic;", text)
    text = SHARED.sub(r"static \1\2 \3\4; emulator_shared(&\3, sizeof \3);", text)
    text = GRID_CONSTANT.sub(r"const \1 &\2", text)
    text = launches(*kernels(text))
    for word in ("__shared__", "__grid_constant__", "__launch_bounds__", "asm"):
        if re.search(rf"\b{word}\b", text):
            raise Unknown(f"{word} in a form that is not known here")
    return text


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    source, target = sys.argv[1:]
    with open(source, encoding="utf-8") as f:
        text = f.read()
    try:
        result = f'#line 1 "{source}"\n{translate(text)}'
    except Unknown as fault:
        sys.exit(f"{source}: {fault}")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", encoding="utf-8") as f:
        f.write(result)


if __name__ == "__main__":
    main()

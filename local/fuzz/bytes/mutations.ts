import { oneOf } from "../random";

/** Texts that readers treat specially. */
const TOKENS: readonly string[] = [
  ..."{}[]\",:-&*!|>%@`'#?\\/\n\t\r\0 ",
  "\uFEFF",
  "\u202E",
  "\u001B[31m",
  "\n---\n",
  "\n...\n",
  "<<: *a",
  "&a [*a]",
  "{{ .Values.a }}",
  "!!binary ",
  "!!js/function ",
  "null",
  "true",
  "NaN",
  "-1",
  "1e999",
  "0x10",
  "65536",
  "9007199254740993",
  "4294967296",
  "__proto__",
  "constructor",
  "toString",
  "0.0.0.0/0",
  "::/0",
  "::ffff:10.0.0.1",
  "10.0.0.0/33",
  "10.0.0.0/-1",
  "010.0.0.1",
  "${a}",
  "::error::",
  "</script><script>",
  "secret",
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
];

type Change = (bytes: Buffer, random: () => number, other: Buffer) => Buffer;

const placeIn = (bytes: Buffer, random: () => number): number => Math.floor(random() * (bytes.length + 1));
const spliced = (bytes: Buffer, from: number, to: number, by: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, from), by, bytes.subarray(to)]);

/** A random range; short ones are more frequent. */
function rangeIn(bytes: Buffer, random: () => number): [from: number, to: number] {
  const from = placeIn(bytes, random);
  const length = Math.floor(2 ** (random() * 9));
  return [from, Math.min(bytes.length, from + length)];
}

const CHANGES: readonly Change[] = [
  (bytes, random) => {
    const after = Buffer.from(bytes);
    const at = Math.floor(random() * bytes.length);
    if (bytes.length > 0) after[at]! ^= 1 << Math.floor(random() * 8);
    return after;
  },
  (bytes, random) => spliced(bytes, ...rangeIn(bytes, random), Buffer.alloc(0)),
  (bytes, random) => {
    const [from, to] = rangeIn(bytes, random);
    return spliced(bytes, to, to, bytes.subarray(from, to));
  },
  (bytes, random) => {
    const [from, to] = rangeIn(bytes, random);
    const at = placeIn(bytes, random);
    return spliced(bytes, at, at, bytes.subarray(from, to));
  },
  (bytes, random, other) =>
    spliced(bytes, ...rangeIn(bytes, random), other.subarray(...rangeIn(other, random))),
  (bytes, random) => bytes.subarray(0, placeIn(bytes, random)),
  (bytes, random) => {
    const at = placeIn(bytes, random);
    return spliced(bytes, at, at, Buffer.from(oneOf(TOKENS, random)));
  },
  (bytes, random) => withWord(bytes, random, oneOf(TOKENS, random)),
  (bytes, random, other) => withWord(bytes, random, oneOf(wordsOf(other), random)),
];

const WORD = /[\w.:/-]+/g;
const wordsOf = (bytes: Buffer): string[] => [...(bytes.toString("latin1").match(WORD) ?? []), ""];

/** Replaces a whole word by a text, which keeps the structure around it. */
function withWord(bytes: Buffer, random: () => number, by: string): Buffer {
  const words = [...bytes.toString("latin1").matchAll(WORD)];
  if (words.length === 0) return bytes;
  const { index, 0: word } = oneOf(words, random);
  return spliced(bytes, index, index + word.length, Buffer.from(by));
}

/** Bytes with a few changes; a single change is the most frequent. */
export function mutatedBytes(bytes: Buffer, random: () => number, other: Buffer): Buffer {
  const times = 1 + Math.floor(random() ** 3 * 6);
  return Array.from({ length: times }).reduce<Buffer>(
    (before) => oneOf(CHANGES, random)(before, random, other),
    bytes,
  );
}

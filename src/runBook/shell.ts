/** What a shell takes for itself in no place. */
const PLAIN = /^[\w./:@%+-]+$/;

const word = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** A command line: what is put in is one word each, whatever is in it. Names are others' to choose, and people copy the command. */
export const shell = (parts: TemplateStringsArray, ...words: readonly string[]): string =>
  String.raw({ raw: parts }, ...words.map(word));

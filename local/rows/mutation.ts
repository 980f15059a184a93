import * as ts from "typescript";

/** One thing that a row of requirements.md stands on in the sources, and how it is taken out. */
export interface Mutation {
  /** What is taken out, in words. */
  what: string;
  /** The file, from the root of the repository. */
  file: string;
  /** The element of a list that holds this text is taken out: a row of data by its id. */
  entry?: string;
  /** This text, which stands in the file once, is taken out. */
  cut?: string;
  /** What is put in its place. Defaults to nothing. */
  put?: string;
}

/** The element of a list that holds the text, mostly its id, is taken out. */
export const entry = (file: string, text: string, what = `the entry ${text}`): Mutation => ({
  what,
  file,
  entry: text,
});

/** A piece of code is taken out, or another put in its place. */
export const cut = (file: string, what: string, text: string, put = ""): Mutation => ({
  what,
  file,
  cut: text,
  put,
});

/** The source without what is taken out. Fails when that is not there, or there more than once. */
export function mutated(source: string, mutation: Mutation): string {
  return mutation.entry === undefined
    ? withoutText(source, mutation)
    : withoutElement(source, { ...mutation, entry: mutation.entry });
}

function withoutText(source: string, { file, what, cut: text = "", put = "" }: Mutation): string {
  if (text === "") throw new Error(`${file} says nothing to take out`);
  const [before = "", ...after] = source.split(text);
  if (after.length !== 1) {
    const times = after.length === 0 ? "does not stand" : `stands ${after.length} times`;
    throw new Error(`${what}: this ${times} in ${file}, bring the mutation up to date:\n${text}`);
  }
  return `${before}${put}${after[0]}`;
}

function withoutElement(source: string, { file, what, entry: text }: Mutation & { entry: string }): string {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true);
  const elements = new Set(textsIn(parsed, text).flatMap((node) => elementAround(node) ?? []));
  const [element] = elements;
  if (element === undefined || elements.size > 1) {
    const found = element === undefined ? "no element" : `${elements.size} elements`;
    throw new Error(`${what}: ${found} of a list in ${file} with "${text}", bring the mutation up to date`);
  }
  const comma = /^\s*,/.exec(source.slice(element.end))?.[0].length ?? 0;
  return source.slice(0, element.getStart()) + source.slice(element.end + comma);
}

function textsIn(node: ts.Node, text: string): ts.Node[] {
  if (ts.isStringLiteral(node)) return node.text === text ? [node] : [];
  return node.getChildren().flatMap((child) => textsIn(child, text));
}

function elementAround(node: ts.Node): ts.Node | undefined {
  if (node.parent === undefined) return undefined;
  return ts.isArrayLiteralExpression(node.parent) ? node : elementAround(node.parent);
}

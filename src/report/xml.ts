import { visible } from "../text";

/** An element of XML with its attributes; `body` is XML already. */
export function element(name: string, values: Readonly<Record<string, string | number>>, body = ""): string {
  const written = Object.entries(values).map(([key, value]) => ` ${key}="${escape(`${value}`)}"`);
  return body === "" ? `<${name}${written.join("")}/>` : `<${name}${written.join("")}>${body}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** A text as XML. It has no place for control characters and half surrogates, not even escaped: they are spelled out. */
const escape = (text: string): string =>
  visible(text).replace(/[&<>"]/g, (character) => ENTITIES[character]!);

/** Lines as the body of an element. */
export const xmlLines = (lines: readonly string[]): string => lines.map(escape).join("\n");

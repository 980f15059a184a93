import { printable } from "./report";

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

/** Text as XML. It has no place for control characters and half surrogates, not even escaped. */
export const escape = (text: string): string =>
  printable(text)
    .replace(/[\ud800-\udfff\ufffe\uffff]/gu, "\ufffd")
    .replace(/[&<>"]/g, (character) => ENTITIES[character]!);

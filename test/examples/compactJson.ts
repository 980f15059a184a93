const WIDTH = 110;

/** JSON for readers: what fits on one line is on one line. */
export function compactJson(value: unknown, indent = ""): string {
  const line = onOneLine(value);
  if (typeof value !== "object" || value === null || indent.length + line.length <= WIDTH) return line;
  const deeper = `${indent}  `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const lines = Array.isArray(value)
    ? value.map((entry) => compactJson(entry, deeper))
    : Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${compactJson(entry, deeper)}`);
  return `${open}\n${lines.map((text) => `${deeper}${text}`).join(",\n")}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${onOneLine(entry)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

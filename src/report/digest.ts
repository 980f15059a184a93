/** SHA-256 as hexadecimal digits. An import would load all of Node's cryptography with every report. */
export const digest = (text: string): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");

/** The `yaml` package, loaded at its first use: it takes twenty milliseconds, and plans are JSON. */
export function yaml(): typeof import("yaml") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with this file
  return require("yaml") as typeof import("yaml");
}

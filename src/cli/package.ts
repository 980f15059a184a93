import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of this package, found from the compiled code or from the sources. */
export const packageFolder = dirname(
  ["../../../package.json", "../../package.json"]
    .map((path) => join(__dirname, path))
    .find((path) => existsSync(path))!,
);

/** The version of this package. */
export const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as {
  version: string;
};

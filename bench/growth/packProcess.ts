// Shows the resources of a preview to the policies, one by one and then all of them, as the engine does.
import { readFileSync } from "node:fs";
import { packed } from "../../local/fuzz/packSide";
import type { JsonObject } from "../../local/fuzz/json";

interface Preview {
  steps: readonly { urn: string; newState: { type: string; inputs: JsonObject } }[];
}

const [plan = "", configuration = ""] = process.argv.slice(2);
const { steps } = JSON.parse(readFileSync(plan, "utf8")) as Preview;
const resources = steps.map(({ urn, newState: { type, inputs } }) => ({
  type,
  name: urn.slice(urn.lastIndexOf("::") + 2),
  properties: inputs,
}));
void packed(resources, configuration).then(({ violations }) =>
  process.stdout.write(`${violations.join("\n")}\n`),
);

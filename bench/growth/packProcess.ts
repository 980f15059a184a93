// Shows the resources of a preview to the policies, one by one and then all of them, as the engine does.
import { readFileSync } from "node:fs";
import { packed } from "../../local/fuzz/packSide";
import { providerOf } from "../../src/plan/stackResource";
import { nameInUrn } from "../../src/resources/resource";
import type { JsonObject } from "../../local/fuzz/json";

interface Preview {
  steps: readonly { urn: string; newState: { type: string; inputs: JsonObject; provider?: string } }[];
}

/** The policies' output for the preview in the first file, with the configuration in the second. */
export async function showToPack([plan = "", configuration = ""]: readonly string[]): Promise<string> {
  const { steps } = JSON.parse(readFileSync(plan, "utf8")) as Preview;
  const resources = steps.map(({ urn, newState: { type, inputs, provider } }) => ({
    type,
    name: urn.slice(urn.lastIndexOf("::") + 2),
    properties: inputs,
    ...(provider !== undefined && { provider: nameInUrn(providerOf(provider)) }),
  }));
  return (await packed(resources, configuration)).violations.join("\n");
}

if (require.main === module)
  void showToPack(process.argv.slice(2)).then((said) => process.stdout.write(`${said}\n`));

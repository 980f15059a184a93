import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Session } from "../../local/session";
import { componentNames } from "../components/minimalArgs";
import { faultsUnder, ownStackLines, stackLines } from "./badInput/output";
import { projectIn, type Project } from "./badInput/project";
import { outputFaults, plainFaults, type WrongInput } from "./badInput/wrongInputs";
import { plainFaultsOfOthers } from "./badInput/wrongParts";
import { sharedSession } from "./sharedSession";

/** Invalid inputs in a TypeScript program, as its author sees them on the terminal. */
let session: Session;
let project: Project;

beforeAll(async () => {
  const stateFolder = mkdtempSync(join(tmpdir(), "bad-input-"));
  session = await sharedSession(stateFolder);
  project = await projectIn(session, "program");
}, 900_000);
afterAll(async () => {
  await session?.stop();
  rmSync(session.stateFolder, { recursive: true, force: true });
});

const program = (...wrong: WrongInput[]) =>
  [
    `import * as pulumi from "@pulumi/pulumi";`,
    `import * as network from "hypershift-network";`,
    `const later = (value: string) => pulumi.output(Promise.resolve(value));`,
    ...wrong.map(({ component, inputs }) => `new network.${component}("wrong", ${inputs} as never);`),
  ].join("\n");

const headline = ({ component, faults }: WrongInput) => `${component} wrong: ${faults.length} faults`;

describe("an invalid input in a TypeScript program", () => {
  const all = [...plainFaults, ...plainFaultsOfOthers];

  it("is tested for every component", () => {
    const tried = new Set(all.map(({ component }) => component));
    expect([...tried].sort()).toEqual(componentNames());
  });

  it.each(all)(
    "$component reports all its faults at once, without stack lines or passwords",
    async (wrong) => {
      const { status, output, steps } = await project.preview(program(wrong));
      expect(faultsUnder(headline(wrong), output)).toEqual(wrong.faults);
      expect(status).toBe(1);
      expect(stackLines(output)).toEqual([]);
      expect(output).not.toContain("hunter2");
      // Only the program's stack and the component are registered.
      expect(steps).toHaveLength(2);
    },
  );

  it("is reported with all faults of its component if it is an Output, without stack lines or passwords", async () => {
    const { status, output } = await project.preview(program(...outputFaults));
    for (const wrong of outputFaults) expect(faultsUnder(headline(wrong), output)).toEqual(wrong.faults);
    expect(status).toBe(1);
    expect(stackLines(output)).toEqual([]);
    expect(output).not.toContain("hunter2");
  });

  it.each(outputFaults)(
    "$component reports each fault once and creates no children, even if a preview does not know all its inputs",
    async (wrong) => {
      const unknown = `const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16" });`;
      const inputs = wrong.inputs.replace(/^\{/, `{ ${unknownInput[wrong.component]},`);
      const text = [`import * as aws from "@pulumi/aws";`, unknown, program({ ...wrong, inputs })].join("\n");
      const { status, output, steps } = await project.preview(text);
      expect(faultsUnder(headline(wrong), output)).toEqual(wrong.faults);
      expect(status).toBe(1);
      const summary = output.slice(output.indexOf("Diagnostics:"));
      for (const fault of wrong.faults) expect(times(summary, fault.split(": ")[0]!)).toBe(1);
      expect(steps.filter((step) => step.includes("$"))).toEqual([]);
    },
  );
});

/** An input of each component that a preview does not know. */
const unknownInput: Readonly<Record<string, string>> = {
  HostedControlPlaneSecurityGroups: "workerVpcId: vpc.id",
  OvnSubnetConfig: `otherNetworks: [{ name: "peer", cidr: vpc.defaultSecurityGroupId }]`,
  ProxyConfig: "computeNodes: vpc.id",
  EgressFirewall: "labels: { vpc: vpc.id }",
};

const times = (text: string, part: string) => text.replace(/ +/g, " ").split(part).length - 1;

describe("the lines of a stack trace", () => {
  const trace = [
    "Error: boom",
    "    at refuse (/home/user/node_modules/hypershift-network/src/components/refuse.ts:29:17)",
    "    at /home/user/hypershift-network/dist/src/fault.js:3:1",
    "    at new Resource (/home/user/node_modules/@pulumi/resource.ts:602:13)",
    "    at main (/home/user/program/index.ts:1:1)",
    "    at Module._compile (node:internal/modules/cjs/loader:1521:14)",
  ].join("\n");

  it("are all found by stackLines, and only those of our code by ownStackLines", () => {
    expect(stackLines(trace)).toHaveLength(5);
    expect(ownStackLines(trace, "/home/user/program")).toEqual([
      "at refuse (/home/user/node_modules/hypershift-network/src/components/refuse.ts:29:17)",
      "at /home/user/hypershift-network/dist/src/fault.js:3:1",
    ]);
  });
});

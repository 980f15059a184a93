import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DescribeVpcsCommand, EC2Client } from "@aws-sdk/client-ec2";

import { clustersOf, deploy, type Verb } from "../../examples/fleet/deploy";
import { examples } from "../examples/example";
import { projectBeside } from "./examples/stack";
import { sharedSession, type SharedSession } from "./sharedSession";

/** The stacks of examples/fleet on the real engine and an EC2 API. */
describe("a fleet of hosted clusters", () => {
  const example = examples().find(({ name }) => name === "fleet")!;
  const clusters = clustersOf(join(example.project, "ledger"));
  const folder = mkdtempSync(join(tmpdir(), "fleet-"));
  let session: SharedSession;

  beforeAll(async () => {
    session = await sharedSession(folder);
  }, 900_000);
  afterAll(async () => {
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const machineNetworks = async (): Promise<string[]> => {
    const { AWS_ACCESS_KEY_ID: accessKeyId = "", AWS_SECRET_ACCESS_KEY: secretAccessKey = "" } = session.env;
    const credentials = { accessKeyId, secretAccessKey };
    const ec2 = new EC2Client({ region: "us-east-1", endpoint: session.awsEndpoint, credentials });
    const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand({}));
    return Vpcs.map(({ CidrBlock = "" }) => CidrBlock)
      .filter((block) => block.startsWith("10.17."))
      .sort();
  };

  test("deploys each cluster as its own stack with the ranges of the ledger", async () => {
    const options = await projectBeside(session, example);
    const said: string[] = [];
    const all = async (verb: Verb) => {
      const failures = await deploy(verb, clusters, options, (line) => said.push(line));
      expect([...failures].map(([cluster, { message }]) => `${cluster}: ${message}`)).toEqual([]);
    };
    await all("up");
    expect(await machineNetworks()).toEqual(["10.17.0.0/24", "10.17.1.0/25", "10.17.2.0/23"]);
    said.length = 0;
    await all("preview");
    expect(said.sort()).toEqual(
      clusters.map(
        (name) => expect.stringMatching(new RegExp(`^${name} {2}preview: \\{"same":\\d+\\}$`)) as string,
      ),
    );
    await all("destroy");
    expect(await machineNetworks()).toEqual([]);
  }, 900_000);

  test("reports a failure for a cluster without a file, and none for the others", async () => {
    const options = await projectBeside(session, example);
    const failures = await deploy("preview", ["tenant-a", "tenant-z"], options, () => {});
    expect([...failures.keys()]).toEqual(["tenant-z"]);
    expect(failures.get("tenant-z")!.message).toContain("has no file for clusters/tenant-z");
  }, 900_000);
});

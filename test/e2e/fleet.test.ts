import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DescribeVpcsCommand, EC2Client } from "@aws-sdk/client-ec2";
import { parseAllDocuments } from "yaml";

import { clustersOf, deploy, type Verb } from "../../examples/fleet/deploy";
import { chooseCrds } from "../../local/servers/crds";
import { examples } from "../examples/example";
import { projectBeside } from "./examples/stack";
import { sharedSession, type SharedSession } from "./sharedSession";

/** The project's own definitions do not include the operator's: only those that `HYPERSHIFT_NETWORK_CRDS` names do. */
const withOperator = (chooseCrds().reduced ? test.skip : test).bind(undefined);

/** The stacks of examples/fleet on the real engine and an EC2 API, and its Stack objects on an API server that may define them. */
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

  withOperator("has Stack objects that the API server accepts with strict field validation", async () => {
    const send = async (method: "GET" | "POST", path: string, body?: unknown) => {
      const answer = await session.kubernetes.request(method, path, body);
      return answer as { status: number; body: { items?: { metadata: { name: string } }[] } };
    };
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "fleet" } };
    expect(await send("POST", "/api/v1/namespaces", namespace)).toMatchObject({ status: 201 });
    const path = "/apis/pulumi.com/v1/namespaces/fleet/stacks";
    for (const document of parseAllDocuments(readFileSync(join(example.project, "stacks.yaml"), "utf8"))) {
      const stack = document.toJS() as object | null;
      if (stack)
        expect(await send("POST", `${path}?fieldValidation=Strict`, stack)).toMatchObject({ status: 201 });
    }
    const { body } = await send("GET", path);
    expect(body.items?.map(({ metadata: { name } }) => name).sort()).toEqual(clusters);
  });
});

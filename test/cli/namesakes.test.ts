import { Folder } from "../plan/plans";
import { call } from "./terminal";

/** A HostedCluster in a management cluster, whose folder tells it apart from its namesakes. */
const cluster = (machineNetwork: string) => `apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: tenant-a, namespace: clusters }
spec:
  release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64" }
  platform: { type: AWS, aws: { region: r, endpointAccess: Public } }
  networking:
    machineNetwork: [{ cidr: ${machineNetwork} }]
    clusterNetwork: [{ cidr: 10.132.0.0/14 }]
    serviceNetwork: [{ cidr: 172.31.0.0/16 }]
  services:
    - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
    - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
    - { service: Konnectivity, servicePublishingStrategy: { type: Route } }
    - { service: Ignition, servicePublishingStrategy: { type: Route } }
`;
const EAST = "clusters/tenant-a (east)";
const WEST = "clusters/tenant-a (west)";

let folder: Folder;
const inFolder = (name: string, network = "10.0.0.0/16") => folder.write(`${name}/hc.yaml`, cluster(network));
beforeEach(() => {
  folder = new Folder();
  for (const name of ["one", "two/east", "two/west", "other/west", "other/north"]) inFolder(name);
});
afterEach(() => folder.remove());

const path = (name: string) => `${folder.path}/${name}`;
interface Answers {
  hostedClusters: { cluster: string; outcome?: string; changes: unknown[] }[];
}
async function answers(...args: string[]) {
  const { out, error } = await call([...args, "--no-config", "--format", "json"]);
  return out === "" ? error : (JSON.parse(out) as Answers).hostedClusters;
}
async function keys(...args: string[]) {
  const found = await answers(...args);
  return typeof found === "string" ? found : found.map((one) => one.cluster);
}

describe("hosted clusters of one name in two management clusters", () => {
  it.each([
    ["prove", () => ["prove", path("two")]],
    ["plan", () => ["plan", path("two")]],
    ["diff", () => ["diff", path("two"), path("two")]],
    ["plan --change", () => ["plan", path("two"), "--change", path("two")]],
  ])("%s names each with its management cluster", async (_, args) => {
    expect(await keys(...args())).toEqual([EAST, WEST]);
  });

  it("the report names each with its management cluster", async () => {
    const { out } = await call(["report", path("two"), "--out", "-", "--no-config"]);
    for (const key of [EAST, WEST]) expect(out.split(key).length).toBeGreaterThan(3);
  });

  it.each(["tenant-a", "clusters/tenant-a"])("--cluster %s means both", async (name) => {
    expect(await keys("prove", path("two"), "--cluster", name)).toEqual([EAST, WEST]);
  });

  it("--cluster with the management cluster means one", async () => {
    expect(await keys("prove", path("two"), "--cluster", WEST)).toEqual([WEST]);
    expect(await keys("prove", path("two"), "--cluster", "other/tenant-a")).toContain("no hosted cluster");
  });
});

describe("a namesake that appears or goes away", () => {
  it.each([
    ["diff", (old: string, now: string) => ["diff", path(old), path(now)]],
    ["plan --change", (old: string, now: string) => ["plan", path(now), "--change", path(old)]],
  ])("%s pairs clusters whose namesake is in only one state", async (_, args) => {
    for (const [old, now] of [
      ["one", "two"],
      ["two", "one"],
    ] as const) {
      const found = await answers(...args(old, now));
      expect(found).toMatchObject([
        { cluster: EAST, changes: [] },
        { cluster: WEST, changes: [] },
      ]);
      expect(await keys(...args(old, now), "--cluster", EAST)).toEqual([EAST]);
    }
  });

  it("clusters of several management clusters on both sides are paired only by management cluster", async () => {
    expect(await keys("diff", path("two"), path("other"))).toEqual(["clusters/tenant-a (north)", WEST, EAST]);
  });

  it("a certificate for one of them has to be written again", async () => {
    const certificate = path("c.json");
    const all = ["10.0.0.0/8"];
    const packets = [{ services: [[1, 1]], sources: all, destinations: all }];
    const place = { guard: "group", packets: "calls", direction: "ingress", required: packets };
    const flow = { journey: "a", title: "a", places: [{ ...place, rules: [{ packets }] }], outside: [] };
    folder.write("c.json", JSON.stringify({ version: 2, cluster: "clusters/tenant-a", flows: [flow] }));
    const { status, error } = await call(["check", path("two"), "--certificate", certificate, "--no-config"]);
    expect([status, error]).toEqual([
      2,
      `${certificate}: is for clusters/tenant-a, and the plan has only ${EAST}, ${WEST}: write the certificate again\n`,
    ]);
  });

  it("plan --change lists the clusters that both states have", async () => {
    const error = await keys("plan", path("other"), "--change", path("two"));
    expect(error).toContain("clusters/tenant-a (north) is not in the current state");
    expect(error).toContain(`name one that both states have with --cluster: ${WEST}\n`);
    expect(await keys("plan", path("other"), "--change", path("two"), "--cluster", WEST)).toEqual([WEST]);
  });
});

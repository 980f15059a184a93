import { fleetMap } from "../../src/addressRanges/fleetMap";
import { chosenKinds } from "../../src/topology/reservedRanges";
import { JudgedResources } from "../../src/gate/judgedResources";
import { htmlReport } from "../../src/report/html";
import { MAP_LEGEND, mapMarkdown, mapPicture, mapText } from "../../src/report/addressPlan";
import { type PropertyValue, type Resource, UNKNOWN } from "../../src/resources/resource";
import { hostedCluster, networking, ovn, vpc, type Properties } from "../rules/builders";
import { peering } from "./vpcs";

const cluster = (name: string, machines: string, more: Properties = {}, spec: Properties = {}): Resource =>
  hostedCluster({ networking: networking(machines, more), ...spec }, name);
const mapOf = (...resources: Resource[]) => fleetMap(new JudgedResources(resources));
const pairsOf = (...resources: Resource[]) =>
  mapOf(...resources).collisions.map(
    ({ machines, other, witness, isConnected }) =>
      `${machines.prefix.text} of ${machines.clusters.join()}, ${other.kind} ${other.prefix.text} of ${other.clusters.join()}: ${witness}${isConnected ? " connected" : ""}`,
  );

describe("collisions among clusters", () => {
  test("include overlapping machine networks, and machines among the pods of other clusters", () => {
    expect(pairsOf(cluster("a", "10.1.0.0/16"), cluster("b", "10.1.2.0/24"))).toEqual([
      "10.1.2.0/24 of clusters/b, machineNetwork 10.1.0.0/16 of clusters/a: 10.1.2.0",
    ]);
    const pods = { clusterNetwork: [{ cidr: "10.8.0.0/14" }] };
    expect(pairsOf(cluster("a", "10.1.0.0/16", pods), cluster("b", "10.9.0.0/24"))).toEqual([
      "10.9.0.0/24 of clusters/b, clusterNetwork 10.8.0.0/14 of clusters/a: 10.9.0.0",
    ]);
  });

  test("include pods among the machines of other clusters", () => {
    const pods = { clusterNetwork: [{ cidr: "10.1.16.0/20", hostPrefix: 24 }] };
    expect(pairsOf(cluster("a", "10.1.0.0/16"), cluster("b", "10.9.0.0/24", pods))).toEqual([
      "10.1.0.0/16 of clusters/a, clusterNetwork 10.1.16.0/20 of clusters/b: 10.1.16.0",
    ]);
  });

  test("exclude the pods of two clusters, and ranges within one cluster", () => {
    expect(pairsOf(cluster("a", "10.1.0.0/24"), cluster("b", "10.2.0.0/24"))).toEqual([]);
    const pods = { clusterNetwork: [{ cidr: "10.8.0.0/14" }] };
    const found = mapOf(cluster("a", "10.9.0.0/24", pods), cluster("b", "10.2.0.0/24"));
    expect([found.collisions, found.further]).toEqual([[], 0]);
  });

  test("are marked connected if a peering connects the VPCs, and exclude machines of one VPC", () => {
    const pods = { clusterNetwork: [{ cidr: "10.8.0.0/14" }] };
    const both = [cluster("a", "10.1.0.0/24", pods), cluster("b", "10.9.0.0/24")];
    const vpcs = [vpc("a", "10.1.0.0/16"), vpc("b", "10.9.0.0/16")];
    const pair = "10.9.0.0/24 of clusters/b, clusterNetwork 10.8.0.0/14 of clusters/a: 10.9.0.0";
    expect(pairsOf(...both, ...vpcs)).toEqual([pair]);
    expect(pairsOf(...both, ...vpcs, peering("a", "b"))).toEqual([`${pair} connected`]);
    const inOne = [cluster("a", "10.1.0.0/16"), cluster("b", "10.1.0.0/16"), vpc("a", "10.1.0.0/16")];
    expect(mapOf(...inOne)).toMatchObject({ collisions: [], further: 0 });
    const nested = [cluster("a", "10.1.0.0/16"), cluster("b", "10.1.4.0/24"), vpc("a", "10.1.0.0/16")];
    expect(mapOf(...nested)).toMatchObject({ collisions: [], further: 0 });
  });

  test("are connected within one VPC, unless both ranges are those of one cluster", () => {
    const services = { serviceNetwork: [{ cidr: "10.1.1.0/24" }] };
    const both = [cluster("a", "10.1.0.0/24", services), cluster("b", "10.1.1.0/24")];
    const pair = "10.1.1.0/24 of clusters/b, serviceNetwork 10.1.1.0/24 of clusters/a: 10.1.1.0";
    expect(pairsOf(...both, vpc("a", "10.1.0.0/16"))).toEqual([`${pair} connected`]);
    const shared = [cluster("c", "10.2.0.0/24", services), cluster("b", "10.1.1.0/24", services)];
    expect(pairsOf(...shared, vpc("b", "10.1.1.0/24"), vpc("c", "10.2.0.0/16"))).toEqual([
      "10.1.1.0/24 of clusters/b, serviceNetwork 10.1.1.0/24 of clusters/c,clusters/b: 10.1.1.0",
    ]);
  });

  test("group machines of one VPC, and keep machines of no known VPC apart", () => {
    const pods = { clusterNetwork: [{ cidr: "10.0.0.0/14" }] };
    const all = [cluster("a", "10.1.0.0/24"), cluster("b", "10.1.0.0/24"), cluster("c", "10.8.0.0/16", pods)];
    const ofPods = (machines: string) =>
      `10.1.0.0/24 of ${machines}, clusterNetwork 10.0.0.0/14 of clusters/c: 10.1.0.0`;
    const both = "10.1.0.0/24 of clusters/b, machineNetwork 10.1.0.0/24 of clusters/a: 10.1.0.0";
    expect(pairsOf(...all)).toHaveLength(3);
    expect(pairsOf(...all)).toEqual(
      expect.arrayContaining([both, ofPods("clusters/a"), ofPods("clusters/b")]),
    );
    expect(pairsOf(...all, vpc("one", "10.1.0.0/16"))).toEqual([ofPods("clusters/a,clusters/b")]);
  });

  test("are sorted by the number of shared addresses, then connected ones first", () => {
    const pods = (cidr: string) => ({ clusterNetwork: [{ cidr, hostPrefix: 24 }] });
    const all = [
      cluster("a", "10.1.0.0/26"),
      cluster("b", "10.2.0.0/24"),
      cluster("c", "10.4.0.0/24"),
      cluster("d", "10.64.0.0/16", pods("10.1.0.0/20")),
      cluster("e", "10.65.0.0/16", pods("10.2.0.0/20")),
      cluster("f", "10.66.0.0/16", pods("10.4.0.0/20")),
      cluster("g", "10.64.0.0/18"),
    ];
    const vpcs = [vpc("c", "10.4.0.0/16"), vpc("f", "10.66.0.0/16"), peering("c", "f")];
    expect(pairsOf(...all, ...vpcs)).toEqual([
      "10.64.0.0/18 of clusters/g, machineNetwork 10.64.0.0/16 of clusters/d: 10.64.0.0",
      "10.4.0.0/24 of clusters/c, clusterNetwork 10.4.0.0/20 of clusters/f: 10.4.0.0 connected",
      "10.2.0.0/24 of clusters/b, clusterNetwork 10.2.0.0/20 of clusters/e: 10.2.0.0",
      "10.1.0.0/26 of clusters/a, clusterNetwork 10.1.0.0/20 of clusters/d: 10.1.0.0",
    ]);
  });

  test("exclude clusters that are only patched, or whose platform is unknown", () => {
    const whole = cluster("a", "10.1.0.0/16");
    const patch = { ...cluster("b", "10.1.0.0/16"), type: `${whole.type}Patch` };
    const { platform: _, ...spec } = patch.properties.spec as Properties;
    const patched = { ...patch, properties: { ...patch.properties, spec } };
    const hidden = cluster("c", "10.1.0.0/16", {}, { platform: UNKNOWN });
    expect(mapOf(whole, patched, hidden)).toMatchObject({
      clusters: [{ key: "clusters/a" }],
      collisions: [],
    });
  });

  test("count a block once that a cluster lists twice", () => {
    const twice = { machineNetwork: [{ cidr: "10.1.0.0/24" }, { cidr: "10.1.0.0/24" }] };
    expect(pairsOf(cluster("a", "10.1.0.0/24", twice), cluster("b", "10.1.0.0/16"))).toEqual([
      "10.1.0.0/24 of clusters/a, machineNetwork 10.1.0.0/16 of clusters/b: 10.1.0.0",
    ]);
  });

  test("depend on the order of objects only in the order of names", () => {
    const list = [cluster("a", "10.1.0.0/16"), cluster("b", "10.1.2.0/24"), cluster("c", "10.1.2.0/24")];
    const sorted = (resources: Resource[]) =>
      pairsOf(...resources)
        .map((text) =>
          text
            .split(/[ :,]+/)
            .sort()
            .join(" "),
        )
        .sort();
    expect(sorted([...list].reverse())).toEqual(sorted(list));
  });

  test("list the hundred pairs that share the most addresses and count the others", () => {
    const list = Array.from({ length: 40 }, (_, at) =>
      cluster(`c${at}`, at < 20 ? "10.1.0.0/16" : "10.1.7.0/24"),
    );
    const { collisions, further } = mapOf(...list);
    expect(collisions).toHaveLength(100);
    expect(collisions.length + further).toBe((40 * 39) / 2);
    expect(collisions.every(({ other }) => other.prefix.text === "10.1.0.0/16")).toBe(true);
  });

  test("count a range once that all clusters have in common", () => {
    const list = Array.from({ length: 300 }, (_, at) =>
      cluster(`c${at}`, `10.132.${at % 250}.${at < 250 ? 0 : 128}/25`),
    );
    const { collisions, further } = mapOf(...list);
    expect(collisions.length + further).toBe(300);
    expect(collisions[0]!.other.clusters).toHaveLength(300);
  });
});

describe("the fleet map", () => {
  const services: PropertyValue = [
    {
      service: "APIServer",
      servicePublishingStrategy: { type: "LoadBalancer", loadBalancer: { hostname: "api.<b>.example.com" } },
    },
    {
      service: "Konnectivity",
      servicePublishingStrategy: { type: "NodePort", nodePort: { address: "10.9.9.9", port: 30_443 } },
    },
  ];
  const made = () =>
    mapOf(
      cluster("b", "10.1.2.0/24", {}, { services, platform: { type: "None" } }),
      cluster("a", "10.1.0.0/16"),
    );

  test("lists every cluster with its ranges, host names and node ports", () => {
    const map = made();
    expect(map.clusters.map(({ key }) => key)).toEqual(["clusters/b", "clusters/a"]);
    const [b] = map.clusters;
    expect(chosenKinds.map((kind) => b!.ranges[kind].map(({ text }) => text))).toEqual([
      ["10.1.2.0/24"],
      ["10.132.0.0/14"],
      ["172.31.0.0/16"],
      [],
      [],
    ]);
    expect(b).toMatchObject({
      platform: "None",
      hostNames: ["APIServer api.<b>.example.com"],
      nodePorts: ["Konnectivity 30443 at 10.9.9.9"],
    });
    const [own] = mapOf(
      cluster(
        "a",
        "10.1.0.0/16",
        {},
        {
          ...ovn("100.99.0.0/16", "100.98.0.0/16"),
          services: [
            {
              service: "OAuthServer",
              servicePublishingStrategy: { type: "NodePort", nodePort: { port: 30_444 } },
            },
            {
              service: "Ignition",
              servicePublishingStrategy: { type: "NodePort", nodePort: { address: "10.9.9.9" } },
            },
          ],
          platform: { type: "None" },
        },
      ),
    ).clusters;
    expect(own).toMatchObject({ hostNames: [], nodePorts: ["OAuthServer 30444"] });
    expect(chosenKinds.slice(3).map((kind) => own!.ranges[kind].map(({ text }) => text))).toEqual([
      ["100.99.0.0/16"],
      ["100.98.0.0/16"],
    ]);
  });

  test("is printed as a table sorted by name, with a picture line for each space that has machines", () => {
    const map = made();
    const text = mapText(map);
    expect(text).toContain(
      "2 hosted clusters: 1 pair of ranges in conflict once clusters are connected; of those that are listed 0 are",
    );
    expect(text.indexOf("\nclusters/a ")).toBeLessThan(text.indexOf("\nclusters/b "));
    expect(text).toContain(
      "not connected  machine network 10.1.2.0/24 of clusters/b  machine network 10.1.0.0/16 of clusters/a  10.1.2.0",
    );
    expect(text).toContain(`${MAP_LEGEND}\n10.0.0.0/8      |2`);
    expect(mapPicture(map)).toEqual([`10.0.0.0/8      |2${".".repeat(63)}|`]);
  });

  test("escapes names in Markdown and HTML", () => {
    const map = made();
    expect(mapMarkdown(map).join("\n\n")).toContain("APIServer api.&lt;b&gt;.example.com");
    const page = htmlReport({
      report: {
        version: "1",
        conclusions: [],
        findings: [],
        exempted: [],
        stale: [],
        rules: [],
        notes: [],
        summary: {
          files: 1,
          resources: 2,
          hostedClusters: 2,
          errors: 0,
          warnings: 0,
          notes: 0,
          unknown: 0,
          exempted: 0,
          staleExemptions: 0,
        },
      },
      answers: [],
      plans: [],
      map,
    });
    expect(page).toContain("<h2>All hosted clusters</h2>");
    expect(page).toContain("APIServer api.&lt;b&gt;.example.com");
  });
});

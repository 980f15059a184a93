import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Platform } from "../../src/requirements/vocabulary";
import { outsideModel, Outside, outsideEntries } from "../../src/requirements/outsideModel";
import { journeys } from "../../src/flows/journeys";
import { pinned, said } from "../reachability/path/clusters";

const idsOf = (entries: readonly { id: Outside }[]) => entries.map(({ id }) => id);

test("every id has one entry, and docs/outside-the-model.md lists the same texts", () => {
  expect(idsOf(outsideEntries)).toEqual(Object.values(Outside));
  const page = readFileSync(join(__dirname, "../../docs/outside-the-model.md"), "utf8");
  const lines = page.split("\n").filter((line) => line.startsWith("- "));
  expect(lines).toEqual(outsideEntries.map(({ id, what, why }) => `- \`${id}\`. ${what}: ${why}.`));
});

test("a cluster has each entry once: the general ones, and those of its flows", () => {
  const entries = idsOf(outsideModel(journeys(said({ platform: "None", services: pinned }))));
  expect(new Set(entries).size).toBe(entries.length);
  expect(entries).toEqual(expect.arrayContaining([Outside.Routes, Outside.UntaggedAcls, Outside.DnsAnswers]));
  expect(entries).not.toContain(Outside.LoadBalancerListeners);
  expect(entries).not.toContain(Outside.HttpProxy);
});

test("load balancers, private endpoints and proxies are listed if flows pass them", () => {
  const topology = said({
    platform: "AWS",
    endpointAccess: "PublicAndPrivate",
    proxy: { httpProxy: "http://10.9.0.1:3128" },
  });
  expect(idsOf(outsideModel(journeys(topology)))).toEqual(
    expect.arrayContaining([Outside.LoadBalancerListeners, Outside.PrivateEndpoints, Outside.HttpProxy]),
  );
});

test("every flow to a service names DNS answers as outside the model, on every platform", () => {
  for (const platform of Object.values(Platform))
    for (const journey of journeys(said({ platform })))
      if (journey.service) expect(journey.outside).toContain(Outside.DnsAnswers);
});

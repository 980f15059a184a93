import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Report } from "../report";
import { cached, cachedOrMade, type CacheEntry } from "./cache";
import { insideSession, onPath } from "./command";
import { Absent, firstOf, type Found, type Source } from "./sources";
import { MOTO_VERSION } from "./versions";
import { COMPLETE, PYTHON, virtualEnvironment } from "./virtualEnvironment";

/** An EC2 API: one that already runs, or a Python that can run moto. */
export type Ec2Tool = { readonly endpoint: string } | { readonly python: string };

const BUILT: CacheEntry = { tool: "moto", version: MOTO_VERSION, proof: COMPLETE };

/** Where an EC2 API may come from, in order of preference. */
export const ec2Sources: readonly Source<Ec2Tool>[] = [
  { from: "AWS_ENDPOINT_URL", find: runningEndpoint },
  { from: "the user's cache folder", find: () => Promise.resolve(pythonIn(cached(BUILT))) },
  { from: "pip, into a virtual environment", find: installMoto },
];

/** Finds a running EC2 API, or installs moto. */
export function findEc2(report: Report): Promise<Found<Ec2Tool>> {
  return firstOf("an EC2 API", ec2Sources, report);
}

function runningEndpoint(): Promise<Ec2Tool | Absent> {
  const { AWS_ENDPOINT_URL_EC2, AWS_ENDPOINT_URL } = process.env;
  const endpoint = insideSession() ? undefined : (AWS_ENDPOINT_URL_EC2 ?? AWS_ENDPOINT_URL);
  return Promise.resolve(endpoint ? { endpoint } : new Absent("not set"));
}

function pythonIn(folder: string | undefined): Ec2Tool | Absent {
  return folder !== undefined && existsSync(join(folder, PYTHON))
    ? { python: join(folder, PYTHON) }
    : new Absent("it is not there yet");
}

async function installMoto(report: Report): Promise<Ec2Tool | Absent> {
  const python = onPath("python3") ?? onPath("python");
  if (python === undefined) {
    return new Absent("no `python3` on PATH");
  }
  const folder = await report.step(`installing moto ${MOTO_VERSION}`, () =>
    cachedOrMade(BUILT, report, (root) =>
      virtualEnvironment(python, root, [`moto[server,ec2]==${MOTO_VERSION}`]),
    ),
  );
  return pythonIn(folder);
}

// Code scanning reads the paths in SARIF from the root of the repository; check writes them from its working folder.
import { readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";

const [file, folder] = process.argv.slice(2);
const prefix = folder.split("/").map(encodeURIComponent).join("/");
const log = JSON.parse(readFileSync(file, "utf8"));
for (const { results } of log.runs)
  for (const { locations } of results)
    for (const { physicalLocation } of locations) {
      const place = physicalLocation?.artifactLocation;
      const isRelative = place && !/^[a-z]+:/i.test(place.uri);
      if (isRelative) place.uri = posix.join(prefix, place.uri);
    }
writeFileSync(file, JSON.stringify(log));

import { PolicyPack } from "@pulumi/policy";

import { onConfiguration } from "./configuredNames";
import { policies } from "./policies";
import { keepSecretMarks } from "./secretMarks";
import { Session } from "./session";

const session = new Session();
onConfiguration((names) => (session.configuredNames = names));
session.marks = keepSecretMarks();

// The only place that creates the pack: its constructor starts a server and prints the port.
new PolicyPack("hypershift-network", {
  description:
    "Networks of OpenShift hosted control planes: ranges that must not collide, ports that must be open.",
  displayName: "hypershift-network",
  enforcementLevel: "mandatory",
  policies: policies(session),
});

import { PolicyPack } from "@pulumi/policy";

import { policies } from "./library";

// The one place that makes the pack: its constructor starts a server and prints its port.
new PolicyPack("hypershift-network", {
  description:
    "Networks of OpenShift hosted control planes: ranges that must not collide, ports that must be open.",
  displayName: "hypershift-network",
  enforcementLevel: "mandatory",
  policies: policies(),
});

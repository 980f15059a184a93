import type { Fault } from "../fault";
import { NODE_PORTS } from "../requirements/ports";
import { reachedPrivately } from "../requirements/platforms";
import { compareReleases, formatRelease, releaseOfImage, type Release } from "../requirements/release";
import { Platform, PublishingType, Service } from "../requirements/vocabulary";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { entriesOf, isGiven, propertyOf, type PropertyMap } from "../objects/places";
import { placeOf, valueAt } from "./additionalSpec";

/** The release that the spec's image names. None for a digest. */
export function releaseOfSpec(spec: PropertyMap | undefined): Release | undefined {
  const image = valueAt(spec, "release.image");
  return typeof image === "string" ? releaseOfImage(image) : undefined;
}

/** The rules on what a topology and the rest of the spec say together, those of the CRD and those of the controllers. */
export function specRuleFaults(spec: PropertyMap, topology: NormalizedTopology): Fault[] {
  return [
    ...otherReleaseFaults(spec, topology),
    ...azureFaults(spec, topology),
    ...nodePortRangeFaults(spec, topology),
    ...certificateFaults(spec, topology),
  ];
}

function otherReleaseFaults(spec: PropertyMap, { release }: NormalizedTopology): Fault[] {
  const ofImage = releaseOfSpec(spec);
  if (!release || !ofImage || compareReleases(release, ofImage) === 0) return [];
  const problem = `is of release ${formatRelease(ofImage)}, and topology.release is ${formatRelease(release)}`;
  return [{ path: placeOf("release.image"), problem, remedy: "write the same release in both" }];
}

/** Azure: private access needs its settings, and OAuth by load balancer a cluster that is managed by its owner. */
function azureFaults(spec: PropertyMap, topology: NormalizedTopology): Fault[] {
  if (topology.platform !== Platform.Azure) return [];
  const { endpointAccess, services } = topology;
  const settings = isGiven(valueAt(spec, "platform.azure.private"));
  const path = placeOf("platform.azure.private");
  const needed = reachedPrivately(endpointAccess);
  const mode = valueAt(spec, "platform.azure.azureAuthenticationConfig.azureAuthenticationConfigType");
  const faults: Fault[] = [];
  if (needed && !settings)
    faults.push({
      path,
      problem: `missing: endpointAccess ${endpointAccess} needs it`,
      remedy: 'write it, for instance {"type": "PrivateLink", "privateLink": {...}}',
    });
  if (!needed && settings)
    faults.push({
      path,
      problem: `goes with private access, and endpointAccess is ${endpointAccess}`,
      remedy: "take it out, or write topology.endpointAccess",
    });
  if (services[Service.OAuthServer].type === PublishingType.LoadBalancer && mode !== "WorkloadIdentities")
    faults.push({
      path: "topology.services.oauthServer.type",
      problem: "LoadBalancer is refused on Azure without the authentication type WorkloadIdentities",
      remedy: "write Route",
    });
  return faults;
}

function nodePortRangeFaults(spec: PropertyMap, { services }: NormalizedTopology): Fault[] {
  const { type, nodePort } = services[Service.APIServer];
  const range = valueAt(spec, "configuration.network.serviceNodePortRange");
  const match = typeof range === "string" ? /^(\d+)-(\d+)$/.exec(range) : null;
  if (type !== PublishingType.NodePort || nodePort === undefined || !match) return [];
  const [from, to] = [Number(match[1]), Number(match[2])];
  if (nodePort >= from && nodePort <= to) return [];
  return [
    {
      path: "topology.services.apiServer.nodePort",
      problem: `${nodePort} is not in ${from}-${to}, which ${placeOf("configuration.network.serviceNodePortRange")} says`,
      remedy: `write one from ${Math.max(from, NODE_PORTS.from)} to ${Math.min(to, NODE_PORTS.to)}`,
    },
  ];
}

/** The API server's load balancer has a certificate of HyperShift's own, which no named certificate may replace. */
function certificateFaults(spec: PropertyMap, { services }: NormalizedTopology): Fault[] {
  const { type, hostname } = services[Service.APIServer];
  if (type !== PublishingType.LoadBalancer || hostname === undefined) return [];
  const certificates = entriesOf(valueAt(spec, "configuration.apiServer.servingCerts.namedCertificates"));
  return certificates.flatMap((certificate, position) =>
    entriesOf(propertyOf(certificate, "names")).includes(hostname)
      ? [
          {
            path: placeOf(`configuration.apiServer.servingCerts.namedCertificates[${position}].names`),
            problem: `holds ${hostname}, the host name of the API server's load balancer`,
            remedy: "leave it out there, or name the API server otherwise",
          },
        ]
      : [],
  );
}

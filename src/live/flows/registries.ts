import { read, readText } from "../../resources/read";
import type { PropertyValue } from "../../resources/resource";
import type { LiveObject } from "../../cluster/liveCluster";
import { distinct, endpointOf, type Endpoint } from "./endpoints";

/** The registry that the image of the release names. */
export function registryOf(hostedCluster: LiveObject): Endpoint | undefined {
  const image = releaseImage(hostedCluster);
  return image === undefined ? undefined : hostOf(image);
}

/** Where nodes pull the image of the release from, in their order: mirrors of its repository, then the registry that it names. */
export function registriesOf(hostedCluster: LiveObject): Endpoint[] {
  const image = releaseImage(hostedCluster);
  if (image === undefined) return [];
  const mirrors = read(hostedCluster, "spec.imageContentSources[]").flatMap(({ value }) => {
    const source = readText(value, "source");
    return typeof source === "string" && isOf(image, source) ? textsOf(value) : [];
  });
  return distinct([...mirrors, image].flatMap((one) => hostOf(one) ?? []));
}

function releaseImage(hostedCluster: LiveObject): string | undefined {
  const image = readText(hostedCluster, "spec.release.image");
  return typeof image === "string" && image.includes("/") ? image : undefined;
}

/** Whether an image lies in a repository, or below a part of its path. */
const isOf = (image: string, repository: string): boolean =>
  image.startsWith(repository) && ["/", ":", "@"].includes(image.charAt(repository.length));

const textsOf = (source: PropertyValue): string[] =>
  read(source, "mirrors[]").flatMap(({ value }) => (typeof value === "string" ? [value] : []));

const hostOf = (image: string): Endpoint | undefined => endpointOf(image.split("/")[0]);

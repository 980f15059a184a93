/** Address blocks of a generated cluster, of both families. */
export interface Network {
  /** The subnets of workers: three of four are IPv4. */
  subnets: readonly string[];
  /** All subnets of workers together. */
  workers: string[];
  controlPlane: string[];
  endpoint: string[];
  balancer: string[];
  balancerHalves: [string[], string[]];
}

/** Up to 4,096 clusters with 64 subnets do not overlap. */
export function networkOf(cluster: number, subnets: number): Network {
  const own = `172.${16 + (cluster >> 8)}.${cluster & 255}`;
  const own6 = `fd01:${(cluster + 1).toString(16)}`;
  return {
    subnets: Array.from({ length: subnets }, (_, position) =>
      position % 4 === 3
        ? `fd00:${(cluster + 1).toString(16)}:${(position + 1).toString(16)}::/64`
        : subnet4(cluster, position),
    ),
    workers: [`${block4(cluster * 4_096)}/20`, `fd00:${(cluster + 1).toString(16)}::/32`],
    controlPlane: [`${own}.0/26`, `${own6}:1::/64`],
    endpoint: [`${own}.64/26`, `${own6}:2::/64`],
    balancer: [`${own}.128/26`, `${own6}:3::/64`],
    balancerHalves: [
      [`${own}.128/27`, `${own6}:3::/65`],
      [`${own}.160/27`, `${own6}:3:0:8000::/65`],
    ],
  };
}

/** The /26 with number `position` in a /20 of 10.0.0.0/8. */
const subnet4 = (cluster: number, position: number): string =>
  `${block4(cluster * 4_096 + position * 64)}/26`;

const block4 = (address: number): string => `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`;

import type { VpnConnection, VpnGateway } from "@aws-sdk/client-ec2";

import type { Resource } from "../../resources/resource";
import { TYPE } from "../../resources/resourceTypes";
import { ec2Resource, tagsOf } from "./ec2Resource";

/** States of what goes or is gone. */
const GONE: ReadonlySet<string> = new Set(["deleting", "deleted", "detaching", "detached"]);
const isThere = ({ State = "" }: { State?: string | undefined }): boolean => !GONE.has(State);

/** A VPN gateway and the VPC that has it; none where no VPC does. */
export function vpnGatewayResources(gateway: VpnGateway): Resource[] {
  const { VpnGatewayId: id = "", VpcAttachments = [] } = gateway;
  const [attachment] = VpcAttachments.filter(isThere);
  if (!isThere(gateway) || !attachment) return [];
  return [ec2Resource(TYPE.vpnGateway, id, { vpcId: attachment.VpcId, tags: tagsOf(gateway.Tags) })];
}

/** A VPN connection at one of some gateways, with its static routes as the AWS provider shows them: resources of their own. */
export function vpnConnectionResources(connection: VpnConnection, gateways: ReadonlySet<string>): Resource[] {
  const { VpnConnectionId: id = "", VpnGatewayId, TransitGatewayId, Options, Routes = [] } = connection;
  const isHere = [VpnGatewayId, TransitGatewayId].some((gateway) => gateways.has(gateway ?? ""));
  if (!isThere(connection) || !isHere) return [];
  return [
    ec2Resource(TYPE.vpnConnection, id, {
      vpnGatewayId: VpnGatewayId,
      transitGatewayId: TransitGatewayId,
      localIpv4NetworkCidr: Options?.LocalIpv4NetworkCidr,
      localIpv6NetworkCidr: Options?.LocalIpv6NetworkCidr,
      remoteIpv4NetworkCidr: Options?.RemoteIpv4NetworkCidr,
      remoteIpv6NetworkCidr: Options?.RemoteIpv6NetworkCidr,
      tags: tagsOf(connection.Tags),
    }),
    ...Routes.filter(isThere).flatMap(({ DestinationCidrBlock: destination }) =>
      destination === undefined
        ? []
        : [
            ec2Resource(TYPE.vpnConnectionRoute, `${destination}:${id}`, {
              vpnConnectionId: id,
              destinationCidrBlock: destination,
            }),
          ],
    ),
  ];
}

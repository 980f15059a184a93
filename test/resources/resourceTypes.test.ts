import {
  isAddressPool,
  isAdministratorsPolicy,
  isAnyNetworkPolicy,
  isHostedCluster,
  isNetwork,
  isNetworkConfig,
  isNetworkOperator,
  isPatch,
  isUserDefinedNetwork,
  typeOfObject,
} from "../../src/resources/resourceTypes";

test("typeOfObject returns the type token of Pulumi", () => {
  expect(typeOfObject("v1", "Service")).toBe("kubernetes:core/v1:Service");
  expect(typeOfObject("apps/v1", "Deployment")).toBe("kubernetes:apps/v1:Deployment");
});

const kinds = {
  isHostedCluster,
  isNetwork,
  isNetworkOperator,
  isNetworkConfig,
  isAnyNetworkPolicy,
  isAdministratorsPolicy,
  isUserDefinedNetwork,
  isAddressPool,
  isPatch,
};

test.each<[string, (keyof typeof kinds)[]]>([
  ["kubernetes:hypershift.openshift.io/v1beta1:HostedCluster", ["isHostedCluster"]],
  ["kubernetes:hypershift.openshift.io/v1alpha1:HostedClusterPatch", ["isHostedCluster", "isPatch"]],
  ["kubernetes:hypershift.openshift.io/v1beta1:HostedClusterList", []],
  ["kubernetes:example.org/v1:HostedCluster", []],
  ["kubernetes:operator.openshift.io/v1:Network", ["isNetwork", "isNetworkOperator"]],
  ["kubernetes:config.openshift.io/v1:Network", ["isNetwork", "isNetworkConfig"]],
  ["kubernetes:networking.k8s.io/v1:NetworkPolicy", ["isAnyNetworkPolicy"]],
  [
    "kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy",
    ["isAnyNetworkPolicy", "isAdministratorsPolicy"],
  ],
  [
    "kubernetes:policy.networking.k8s.io/v1alpha1:BaselineAdminNetworkPolicy",
    ["isAnyNetworkPolicy", "isAdministratorsPolicy"],
  ],
  [
    "kubernetes:policy.networking.k8s.io/v1alpha2:ClusterNetworkPolicy",
    ["isAnyNetworkPolicy", "isAdministratorsPolicy"],
  ],
  ["kubernetes:k8s.ovn.org/v1:UserDefinedNetwork", ["isUserDefinedNetwork"]],
  ["kubernetes:k8s.ovn.org/v1:ClusterUserDefinedNetwork", ["isUserDefinedNetwork"]],
  ["kubernetes:metallb.io/v1beta1:IPAddressPool", ["isAddressPool"]],
  ["kubernetes:metallb.io/v1beta1:AddressPool", ["isAddressPool"]],
  ["aws:example/v1:Patch", []],
])("%s is of these kinds: %j", (type, expected) => {
  expect(Object.entries(kinds).flatMap(([name, isKind]) => (isKind(type) ? [name] : []))).toEqual(expected);
});

import { spoken } from "./topologies";

describe("messages on services:", () => {
  test.each<[string, object, string[]]>([
    [
      "an address in the service network",
      { platform: "None", services: { apiServer: { type: "NodePort", address: "172.31.0.9" } } },
      [
        "topology.services.apiServer.address  172.31.0.9 lies in the service network 172.31.0.0/16, and HyperShift refuses the cluster: write an address of the management cluster's nodes, or move the service network [cidr-overlap]",
      ],
    ],
    [
      "an address without a dot",
      { platform: "None", services: { apiServer: { type: "NodePort", address: "node" } } },
      [
        'topology.services.apiServer.address  "node" is neither a host name nor an IP address: write a name with a dot in it, or an address without port and mask',
      ],
    ],
    [
      "an address of more than 253 characters",
      { platform: "None", services: { apiServer: { type: "NodePort", address: `${"a.".repeat(126)}com` } } },
      [
        'topology.services.apiServer.address  "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a..." is neither a host name nor an IP address: write a name with a dot in it, or an address without port and mask',
      ],
    ],
    [
      "a node port below the range",
      { platform: "None", services: { apiServer: { type: "NodePort", nodePort: 29999 } } },
      [
        "topology.services.apiServer.nodePort  29999 is not a node port: write a whole number from 30000 to 32767 [node-port-range]",
      ],
    ],
    [
      "a node port above the range",
      { platform: "None", services: { apiServer: { type: "NodePort", nodePort: 32768 } } },
      [
        "topology.services.apiServer.nodePort  32768 is not a node port: write a whole number from 30000 to 32767 [node-port-range]",
      ],
    ],
    [
      "a node port as text",
      { platform: "None", services: { apiServer: { type: "NodePort", nodePort: "30001" } } },
      [
        'topology.services.apiServer.nodePort  "30001" is not a node port: write a whole number from 30000 to 32767 [node-port-range]',
      ],
    ],
    [
      "a node port with strategy LoadBalancer",
      { services: { apiServer: { type: "LoadBalancer", nodePort: 30001 } } },
      [
        "topology.services.apiServer.nodePort  LoadBalancer has no node port: leave nodePort out, or publish by NodePort",
      ],
    ],
    [
      "a node port address with strategy LoadBalancer",
      { services: { apiServer: { type: "LoadBalancer", address: "a.example.com" } } },
      [
        "topology.services.apiServer.address  LoadBalancer has no node-port address: leave address out, or publish by NodePort",
      ],
    ],
    [
      "a host name with strategy NodePort",
      { platform: "None", services: { apiServer: { type: "NodePort", hostname: "a.example.com" } } },
      [
        "topology.services.apiServer.hostname  NodePort has no host name: leave hostname out, or publish by Route or LoadBalancer",
      ],
    ],
    [
      "a host name without a dot",
      { services: { apiServer: { type: "Route", hostname: "example" } } },
      [
        'topology.services.apiServer.hostname  "example" is not a host name: write labels of letters, digits and hyphens joined by dots, at most 253 characters',
      ],
    ],
    [
      "a host name of more than 253 characters",
      { services: { apiServer: { type: "Route", hostname: `${"a.".repeat(126)}com` } } },
      [
        'topology.services.apiServer.hostname  "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a..." is not a host name: write labels of letters, digits and hyphens joined by dots, at most 253 characters',
      ],
    ],
    [
      "a host name as a number",
      { services: { apiServer: { hostname: 7 } } },
      ["topology.services.apiServer.hostname  7 is not a string: write it in quotes"],
    ],
    [
      "a Route without host name on AWS",
      { services: { apiServer: { type: "Route" } } },
      [
        "topology.services.apiServer.hostname  missing: on AWS a Route of the API server needs a host name: write a host name, or publish by LoadBalancer [publishing-unsupported]",
      ],
    ],
    [
      "a Route without host name with private access, none",
      { endpointAccess: "Private", services: { apiServer: { type: "Route" } } },
      [],
    ],
    [
      "a Route without host name on Azure",
      { platform: "Azure", services: { apiServer: { type: "Route" } } },
      [
        "warning: topology.services.apiServer.hostname  the API server's Route has no host name: HyperShift's API requires one: write it",
      ],
    ],
    [
      "a load balancer on Azure, none",
      { platform: "Azure", services: { apiServer: { type: "LoadBalancer" } } },
      [],
    ],
    [
      "a node port twice",
      {
        platform: "None",
        services: {
          apiServer: { type: "NodePort", nodePort: 30001 },
          oauthServer: { type: "NodePort", nodePort: 30001 },
        },
      },
      [
        "topology.services.oauthServer.nodePort  30001 is already used by APIServer: give each service its own [node-port-range]",
      ],
    ],
    [
      "a host name twice",
      {
        services: {
          apiServer: { type: "Route", hostname: "a.example.com" },
          oauthServer: { type: "Route", hostname: "a.example.com" },
        },
      },
      [
        "topology.services.oauthServer.hostname  a.example.com is already used by APIServer: give each service its own [publishing-unsupported]",
      ],
    ],
    [
      "a misspelled strategy",
      { services: { apiServer: { type: "Rout" } } },
      [
        'topology.services.apiServer.type  "Rout" is not one of Route, NodePort or LoadBalancer: did you mean Route?',
      ],
    ],
    [
      "a strategy that the platform refuses",
      { services: { konnectivity: { type: "NodePort" } } },
      [
        "topology.services.konnectivity.type  NodePort is refused on AWS: on AWS Konnectivity is published by Route: write Route [publishing-unsupported]",
      ],
    ],
    [
      "a service name in another case",
      { services: { apiserver: {} } },
      ["topology.services.apiserver  no such property: did you mean apiServer?"],
    ],
    ["a service of null, none", { services: { apiServer: null } }, []],
    ["a strategy of null, none", { services: { apiServer: { type: null } } }, []],
  ])("%s", (_, raw, expected) => {
    expect(spoken(raw)).toEqual(expected);
  });
});

describe("messages on proxies, which never show values:", () => {
  test.each<[string, object, string[]]>([
    [
      "https for HTTP",
      { proxy: { httpProxy: "https://user:secret@a.example.com" } },
      [
        "topology.proxy.httpProxy  is not a URL that begins with http://: write http://proxy.example.com:3128",
      ],
    ],
    [
      "another scheme",
      { proxy: { httpsProxy: "ftp://user:secret@a" } },
      [
        "topology.proxy.httpsProxy  is not a URL that begins with http:// or https://: write http://proxy.example.com:3128",
      ],
    ],
    [
      "a number as noProxy",
      { proxy: { noProxy: 5 } },
      ["topology.proxy.noProxy  is not a string: write a string"],
    ],
    [
      "a number as a URL",
      { proxy: { httpProxy: 5 } },
      ["topology.proxy.httpProxy  is not a string: write a string"],
    ],
    [
      "a URL instead of the object",
      { proxy: "http://user:secret@proxy.example.com" },
      ["topology.proxy  a string is not an object: write an object with httpProxy, httpsProxy or noProxy"],
    ],
    [
      "a URL without a host",
      { proxy: { httpProxy: "http://" } },
      [
        "topology.proxy.httpProxy  is not a URL that begins with http://: write http://proxy.example.com:3128",
      ],
    ],
    [
      "a host without a scheme",
      { proxy: { httpProxy: "proxy.example.com:3128" } },
      [
        "topology.proxy.httpProxy  is not a URL that begins with http://: write http://proxy.example.com:3128",
      ],
    ],
    ["empty strings, none", { proxy: { httpProxy: "", httpsProxy: "", noProxy: "" } }, []],
    [
      "an unknown property",
      { proxy: { https: "https://user:secret@a.example.com" } },
      ["topology.proxy.https  no such property: the properties are httpProxy, httpsProxy or noProxy"],
    ],
  ])("%s", (_, raw, expected) => {
    expect(spoken(raw)).toEqual(expected);
  });
});

import { topologyOutput, withoutCredentials } from "../../src/components/outputs";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { goldenCases } from "../securityGroups/component/goldenCases";

describe("the topology that components register", () => {
  const readable = goldenCases.flatMap(({ name, topology }) => {
    const { topology: normal } = normalizeTopology(topology);
    return normal ? [[name, topology, normal] as const] : [];
  });

  it.each(readable)("%s: reads back as the given topology with its defaults", (_, given, normal) => {
    const output = topologyOutput(given, normal);
    const again = normalizeTopology(JSON.parse(JSON.stringify(output)));
    expect(again.faults).toEqual([]);
    expect({ ...again.topology, defaulted: [] }).toEqual({ ...normal, defaulted: [] });
  });
});

describe("credentials of proxies", () => {
  it.each([
    ["http://user:secret@proxy.example.com:3128", "http://proxy.example.com:3128"],
    ["https://user:s@cret@proxy.example.com", "https://proxy.example.com"],
    ["http://user:se/cret@proxy.example.com:3128", "http://proxy.example.com:3128"],
    ["user:secret@proxy.example.com:3128", "proxy.example.com:3128"],
    ["http://proxy.example.com:3128", "http://proxy.example.com:3128"],
  ])("%s becomes %s", (httpProxy, cleaned) => {
    expect(withoutCredentials({ name: "a", proxy: { httpProxy } })).toEqual({
      name: "a",
      proxy: { httpProxy: cleaned },
    });
  });

  it.each([[undefined], [null], [{}], [{ proxy: null }], [{ proxy: "x" }], ["x"]])(
    "%p stays unchanged",
    (topology) => {
      expect(withoutCredentials(topology)).toEqual(topology);
    },
  );
});

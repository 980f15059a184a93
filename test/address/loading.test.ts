describe("the address module", () => {
  test("loads ip-cidr only when it parses text that a user typed", () => {
    const loaded = jest.fn();
    jest.isolateModules(() => {
      jest.doMock("ip-cidr", () => {
        loaded();
        return jest.requireActual<object>("ip-cidr");
      });
      const address = jest.requireActual<typeof import("../../src/address")>("../../src/address");
      address.overlapsAmong(["10.0.0.0/8", "2001:db8::/32"]);
      expect(address.readPrefix("10.0.0.0/8")?.text).toBe("10.0.0.0/8");
      expect(loaded).not.toHaveBeenCalled();
      expect(address.parsePrefix("10.0.0.0/8").prefix?.text).toBe("10.0.0.0/8");
      expect(loaded).toHaveBeenCalledTimes(1);
    });
  });
});

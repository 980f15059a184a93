import { compareAndSwap, objectField } from "../../src/components/compareAndSwap/swap";
import { grantedBody } from "../../src/networkTypeMigration/component/carryOut";
import { expectSafe, HOSTILE } from "../hostile";

const answer = (status: number) => ({ status, body: { message: HOSTILE } });
const settings = {
  apiVersion: "config.openshift.io/v1",
  object: "Proxy",
  name: `cluster${HOSTILE}`,
  path: ["spec", "noProxy"],
  fieldManager: "x",
};

/** Expects an error whose message is one safe line. */
async function expectSafeError(failing: () => Promise<unknown>): Promise<void> {
  const message = await failing().then(
    () => "",
    (error: Error) => error.message,
  );
  expect(message).toContain("\\n");
  expect(message).not.toContain("\n");
  expectSafe(message);
}

test.each([403, 404, 500])(
  "a hostile server answer with status %i becomes one safe line of an error",
  async (status) => {
    const send = () => Promise.resolve(answer(status));
    await expectSafeError(() => objectField({ send }, settings as never));
    await expectSafeError(async () => Promise.resolve(grantedBody(answer(status), "/apis")));
  },
);

test("a hostile conflict of a shared field becomes one safe line of an error", async () => {
  const field = {
    name: `noProxy of ${HOSTILE}`,
    read: () => Promise.resolve({ value: "", resourceVersion: "1" }),
    write: () => Promise.resolve(true),
  };
  const merge = () => ({ value: "", ours: [], conflicts: [HOSTILE] });
  await expectSafeError(() => compareAndSwap(field, merge as never));
});

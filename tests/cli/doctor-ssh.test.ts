import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { aServer, call, type Json } from "../builders.ts";
import { until } from "../until.ts";
import { hearth } from "./run.ts";

/** Whether git over SSH is taken: what probes and `hearth doctor` are told. */

const doctor = (dataDir: string, listen: string) =>
  hearth(dataDir, ["doctor"], "", { HEARTH_LISTEN: listen, HEARTH_SSH_LISTEN: "127.0.0.1:2222" });

test("a server that takes git over SSH says so, and doctor hears it", async () => {
  await using server = await aServer({ "ssh.listen": "127.0.0.1:0" });
  await until(() => server.services.ssh.state.port);
  const { status, body } = await call<Json>(server, "GET", "/api/healthz");
  expect({ status, said: body["status"] }).toEqual({ status: 200, said: "pass" });
  expect(body["checks"]).toMatchObject({ "ssh:listening": [{ status: "pass" }] });
  const { code, out } = await doctor(server.dataDir, new URL(server.url).host);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("the server listens at 127.0.0.1:2222\n") });
});

test("one that runs without it is well otherwise, and doctor finds it", async () => {
  const taken = createServer();
  const port = await new Promise<number>((resolve) =>
    taken.listen(0, "127.0.0.1", () => resolve((taken.address() as { port: number }).port)),
  );
  await using server = await aServer({ "ssh.listen": `127.0.0.1:${port}` });
  await until(() => server.services.ssh.state.problem);
  const { status, body } = await call<Json>(server, "GET", "/api/healthz");
  expect({ status, said: body["status"] }).toEqual({ status: 200, said: "warn" });
  expect(body["checks"]).toMatchObject({ "ssh:listening": [{ status: "fail" }] });
  const found = await doctor(server.dataDir, new URL(server.url).host);
  expect(found.code).toBe(1);
  expect(found.out).toContain("wrong   git over SSH: the server runs, but does not listen at 127.0.0.1:2222;");
  // A server that is stopped is not at fault.
  taken.close();
  const asleep = await doctor(server.dataDir, `127.0.0.1:${port}`);
  expect(asleep.out).toContain("ok      git over SSH: the server does not run\n");
  expect(server.errors.splice(0)).toHaveLength(1);
});

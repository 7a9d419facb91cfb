import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "./scene.ts";

/** Clients in other languages, each a small program that does one step; made and kept in `.cache/clients`. */

const here = import.meta.dir;
const cache = join(here, "../../.cache/clients");

async function run(words: readonly string[], cwd = here, environment: Record<string, string> = {}): Promise<void> {
  const child = Bun.spawn([...words], {
    cwd,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, ...environment },
  });
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${words[0]} ${words[1] ?? ""}: ${`${out}${error}`.slice(-2000)}`);
}

function client(name: string, prepare: () => Promise<string | undefined>, command: readonly string[]): Client {
  return {
    name,
    prepare,
    clone: (url, dir) => run([...command, "clone", url, dir]),
    fetch: (url, dir) => run([...command, "fetch", url, dir]),
    push: (url, dir, path) => run([...command, "push", url, dir, path]),
  };
}

const pythonPackages = ["dulwich==1.2.21", "pygit2==1.21.0"] as const;
const venv = join(cache, "python");

/** One virtual environment for both Python clients, made again when the pinned versions change. */
async function preparePython(): Promise<string | undefined> {
  if (!Bun.which("python3")) return "python3 with venv";
  const stamp = join(venv, pythonPackages.join(" "));
  if (existsSync(stamp)) return undefined;
  await run(["python3", "-m", "venv", "--clear", venv]);
  await run([join(venv, "bin/pip"), "install", "--quiet", ...pythonPackages]);
  await Bun.write(stamp, "");
  return undefined;
}

const python = (script: string) => [join(venv, "bin/python"), join(here, "python", script)];

async function prepareGo(): Promise<string | undefined> {
  if (!Bun.which("go")) return "go 1.24 or newer";
  mkdirSync(cache, { recursive: true });
  // The module file is copied, so that its sums are written beside the program and not into the source tree.
  const dir = join(cache, "go");
  for (const file of ["go.mod", "main.go"]) await Bun.write(join(dir, file), Bun.file(join(here, "go", file)));
  await run(["go", "mod", "tidy"], dir);
  await run(["go", "build", "-o", "client", "."], dir);
  return undefined;
}

const jars = join(cache, "java");

async function prepareJava(): Promise<string | undefined> {
  if (!Bun.which("javac") || !Bun.which("mvn")) return "javac 17 and mvn";
  const pom = join(here, "java/pom.xml");
  const copy = ["dependency:copy-dependencies", `-DoutputDirectory=${jars}`];
  await run(["mvn", "-q", "-B", "-f", pom, ...copy]);
  await run(["javac", "-cp", `${jars}/*`, "-d", jars, join(here, "java/Client.java")]);
  return undefined;
}

export const externalClients: readonly Client[] = [
  client("dulwich", preparePython, python("with_dulwich.py")),
  client("pygit2", preparePython, python("with_pygit2.py")),
  client("go-git", prepareGo, [join(cache, "go/client")]),
  client("JGit", prepareJava, ["java", "-cp", `${jars}/*:${jars}`, "Client"]),
];

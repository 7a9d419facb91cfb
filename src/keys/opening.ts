import type { Core } from "../core.ts";
import type { Services } from "../services.ts";
import { DeployKeyService } from "./deploy/service.ts";
import { GpgKeyService } from "./gpg/service.ts";
import { HttpSignatures } from "./http-signatures/service.ts";
import { type PrincipalRule, PrincipalService } from "./principals/service.ts";
import { ProofTokens } from "./proof.ts";
import { KeyHolders } from "./ssh/holders.ts";
import { fingerprintOf } from "./ssh/public-key.ts";
import { SshKeyService } from "./ssh/service.ts";
import { SignatureService } from "./verification/service.ts";

declare module "../services.ts" {
  interface Services {
    readonly sshKeys: SshKeyService;
    readonly keyHolders: KeyHolders;
    readonly gpgKeys: GpgKeyService;
    readonly deployKeys: DeployKeyService;
    readonly signatures: SignatureService;
    readonly principals: PrincipalService;
  }
}

/** Constructs and wires the services for keys. */
export function openKeys(
  { caches, clock, config, db, links, outbox, pool, secret }: Core,
  { emails, identity, repos, signing }: Services,
) {
  const proofs = new ProofTokens(clock, secret);
  const sshKeys = new SshKeyService(db, clock, outbox, proofs);
  const gpgKeys = new GpgKeyService({ db, clock, outbox, pool, emails, proofs });
  const deployKeys = new DeployKeyService(db, clock, outbox);
  const authorities = new Set(config["keys.authorities"].map(fingerprintOfLine));
  const rules = authorities.size === 0 ? [] : (config["keys.principals"] as readonly PrincipalRule[]);
  const principals = new PrincipalService(db, clock, outbox, emails, new Set(rules));
  const requests = new HttpSignatures(identity, sshKeys, principals, clock, authorities);
  const keyHolders = new KeyHolders(identity, sshKeys, deployKeys, principals, clock, authorities);
  const trustedSshKeys = new Set(config["signing.trusted_ssh_keys"].map(fingerprintOfLine));
  const parts = {
    db,
    caches,
    pool,
    identity,
    links,
    repos,
    sshKeys,
    signing,
    trustedSshKeys,
    trustModel: config["signing.trust_model"],
  };
  const signatures = new SignatureService(parts);
  return { sshKeys, keyHolders, gpgKeys, deployKeys, signatures, principals, requests };
}

function fingerprintOfLine(line: string): string {
  const base64 = line.split(" ").find((word) => word.startsWith("AAAA"));
  return fingerprintOf(Buffer.from(base64 ?? "", "base64"));
}

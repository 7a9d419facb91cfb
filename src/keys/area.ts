import type { Area } from "../area.ts";
import { DEPLOY_KEY_TOKEN, DeployKeyService } from "./deploy/service.ts";
import { keyErrorWords } from "./error-words.ts";
import { GpgKeyService } from "./gpg/service.ts";
import { HttpSignatures } from "./http-signatures/service.ts";
import { type PrincipalRule, PrincipalService } from "./principals/service.ts";
import { ProofTokens } from "./proof.ts";
import { KEY_TOKEN, KeyHolders } from "./ssh/holders.ts";
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

/** Keys of accounts and repositories: what opens a door without a password, and what proves who wrote. */
export const keysArea: Area = {
  name: "keys",
  errorWords: keyErrorWords,
  routes: async () => (await import("./api.ts")).keyRoutes,
  open: (
    { caches, clock, config, db, links, outbox, pool, secret },
    { authenticator, emails, identity, pushRules, repos, signing },
  ) => {
    const proofs = new ProofTokens(clock, secret);
    const sshKeys = new SshKeyService(db, clock, outbox, proofs);
    const gpgKeys = new GpgKeyService({ db, clock, outbox, pool, emails, proofs });
    const deployKeys = new DeployKeyService(db, clock, outbox);
    const authorities = new Set(config["keys.authorities"].map(fingerprintOfLine));
    const rules = authorities.size === 0 ? [] : (config["keys.principals"] as readonly PrincipalRule[]);
    const principals = new PrincipalService(db, clock, outbox, emails, new Set(rules));
    const requests = new HttpSignatures(identity, sshKeys, principals, clock, authorities);
    authenticator.add((credentials) => requests.identify(credentials));
    const keyHolders = new KeyHolders(identity, sshKeys, deployKeys, principals, clock, authorities);
    const noSecret = async () => undefined;
    const isKey = (id: number) => sshKeys.find(id) !== undefined;
    authenticator.addTokens({ kind: KEY_TOKEN, find: noSecret, isGood: isKey });
    authenticator.addTokens({ kind: DEPLOY_KEY_TOKEN, find: noSecret, isGood: (id) => deployKeys.isGood(id) });
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
    signing.knowKeysWith((userId) => sshKeys.hasVerified(userId) || gpgKeys.hasAny(userId));
    pushRules.verifyWith((_seen, commits) =>
      signatures.verified(
        commits.map(({ oid, signed, committerEmail }) => ({
          oid,
          signature: signed?.signature,
          data: signed?.payload,
          email: committerEmail,
        })),
      ),
    );
    return { services: { sshKeys, keyHolders, gpgKeys, deployKeys, signatures, principals } };
  },
};

function fingerprintOfLine(line: string): string {
  const base64 = line.split(" ").find((word) => word.startsWith("AAAA"));
  return fingerprintOf(Buffer.from(base64 ?? "", "base64"));
}

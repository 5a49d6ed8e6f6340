# The image's Node runs the service; the one that the project brings comes with a script, the only one there is.
FROM node:26-slim AS install
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# npm links the packages of this repository into node_modules.
COPY packages packages
RUN npm ci --omit=dev --ignore-scripts

FROM node:26-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    SMTP_LISTEN=0.0.0.0:2525 \
    DATABASE_URL=sqlite:/data/mailroom.db \
    OUTBOX=/data/outbox \
    OWNER_KEY_FILE=/data/owner.key
RUN install -d -o node -g node -m 0700 /data
WORKDIR /app
COPY --from=install /app/node_modules node_modules
COPY package.json LICENSE NOTICE ./
# The guides are pages of the site.
COPY docs/*.md docs/
COPY packages packages
COPY clients clients
# The cache is one of each user.
RUN install -d -o node -g node build
USER node
# The clients are packed and served at /client.tgz and /client.whl.
RUN npm run --silent pack-client && npm run --silent compile-cache
VOLUME /data
# HTTP, mail from other servers (SMTP_LISTEN), and from mail programs where SUBMISSION_LISTEN says so.
EXPOSE 8080 2525 587 465
STOPSIGNAL SIGTERM
# A start waits up to 60 s for its database (DATABASE_SECONDS).
HEALTHCHECK --interval=10s --timeout=3s --start-period=80s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "packages/server/main.js"]

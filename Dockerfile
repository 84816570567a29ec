FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts && npm run build && npm run pack
WORKDIR /app
RUN npm init -y && npm install --omit=dev --ignore-scripts gpt-tokenizer@4 \
  /build/packages/throughline/.cache/package.tgz /build/packages/server/.cache/package.tgz

FROM node:24-slim
COPY --from=build /app /app
RUN mkdir /data && chown 65534:65534 /data && chmod 700 /data
ENV NODE_ENV=production THROUGHLINE_FOLDER=/data THROUGHLINE_HOST=0.0.0.0 THROUGHLINE_PORT=8787 SQLITE_TMPDIR=/data
USER 65534:65534
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.THROUGHLINE_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/throughline/bin/throughline.js"]
CMD ["serve"]

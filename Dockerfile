# A container with the folders, port and account of File Browser's:
#   docker build -t filemgr .
#   docker run -v ./data:/srv -v filemgr_database:/database -p 8080:80 filemgr

FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm run build

FROM debian:bookworm-slim
COPY --from=build /build/dist/filemgr /usr/local/lib/filemgr/filemgr
# Under the name of the command, so that "docker exec CONTAINER filemgr users ls" has the same settings.
COPY scripts/container-entrypoint.sh /usr/local/bin/filemgr
COPY docs/examples/container-settings.json /usr/share/filemgr/settings.json
RUN chmod 755 /usr/local/bin/filemgr && mkdir -p /srv /config /database && chown 1000:1000 /srv /config /database
ENV HOME=/database
WORKDIR /database
VOLUME /srv /config /database
EXPOSE 80
USER 1000:1000
HEALTHCHECK --start-period=5s --interval=30s --timeout=5s CMD ["filemgr", "status", "--ready"]
ENTRYPOINT ["filemgr"]
CMD ["serve"]

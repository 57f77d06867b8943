# syntax=docker/dockerfile:1
# One image for every component; the command says which: coordinator, sampler, ui, worker, job, config, …
# Laid out as a built checkout, so that the launcher is the same script and finds nothing to build.

FROM maven:3.9-eclipse-temurin-17 AS build
WORKDIR /build
COPY . .
RUN --mount=type=cache,target=/root/.m2 mvn -q -B -Pquick -Dmaven.test.skip=true package \
 && mkdir lib \
 && tr ':' '\n' < cli/target/classpath.txt | while read -r jar; do cp "$jar" lib/; done \
 && tr ':' '\n' < cli/target/classpath.txt | sed 's#.*/#/opt/myolotrain/lib/#' | paste -sd: > lib/classpath.txt

FROM eclipse-temurin:17-jre-jammy
RUN groupadd --system --gid 10001 myolotrain \
 && useradd --system --uid 10001 --gid myolotrain --home-dir /var/lib/myolotrain --shell /usr/sbin/nologin myolotrain \
 && install -d -o myolotrain -g myolotrain /var/lib/myolotrain /var/cache/myolotrain /checkpoints \
 && install -d /opt/myolotrain/cli/target
COPY --from=build /build/lib /opt/myolotrain/lib
COPY --from=build /build/cli/target/classes /opt/myolotrain/cli/target/classes
COPY --from=build /build/cli/target/demo-data /opt/myolotrain/cli/target/demo-data
COPY myolotrain /opt/myolotrain/myolotrain
RUN mv /opt/myolotrain/lib/classpath.txt /opt/myolotrain/cli/target/classpath.txt \
 && chmod 0755 /opt/myolotrain/myolotrain \
 && touch /opt/myolotrain/cli/target/.built \
 && ln -s /opt/myolotrain/myolotrain /usr/local/bin/myolotrain

# State that outlives a container: stream stores and broker data, unpacked native libraries, checkpoints.
ENV MYOLOTRAIN_STATE=/var/lib/myolotrain \
    MYOLOTRAIN_JAVA_OPTS=-Dorg.bytedeco.javacpp.cachedir=/var/cache/myolotrain
VOLUME ["/var/lib/myolotrain", "/var/cache/myolotrain", "/checkpoints"]
USER myolotrain
WORKDIR /var/lib/myolotrain
ENTRYPOINT ["myolotrain"]
CMD ["help"]
